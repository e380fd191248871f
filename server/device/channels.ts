// How many channels a device has, and which have a camera: as set by hand, or as its terminal says.
import { channelOfWire } from './channelNumbers.ts';
import type { AvAttributes } from './jt808/codec/messages/live.ts';
import type { ChannelTable } from './jt808/codec/parameterValues.ts';
import type { TerminalSession } from './terminalSession.ts';

export interface ReportedChannels {
  readonly count: number;
  /** Bit string, the leftmost character is channel 1. */
  readonly installed: string;
  /** Channels whose camera can be turned. */
  readonly ptz: readonly number[];
}

/** What the terminal says: its table of channels, or else how many video channels it can have. Undefined: nothing. */
export function reportedChannels(
  table: ChannelTable | undefined,
  attributes: AvAttributes | undefined,
  session: Pick<TerminalSession, 'channelsFromZero'> = { channelsFromZero: false },
): ReportedChannels | undefined {
  const withPicture = [...(table?.audioVideo ?? []), ...(table?.video ?? [])]
    .map((each) => ({ ...each, channel: channelOfWire(session, each.logicalChannel) }))
    .filter(({ channel }) => channel > 0);
  if (withPicture.length > 0) {
    const numbers = new Set(withPicture.map(({ channel }) => channel));
    const count = Math.max(...numbers);
    const installed = channelBits(count, (channel) => numbers.has(channel));
    return { count, installed, ptz: withPicture.filter((each) => each.ptz === 1).map(({ channel }) => channel) };
  }
  const count = attributes?.maxVideoChannels ?? 0;
  return count === 0 ? undefined : { count, installed: '1'.repeat(count), ptz: [] };
}

export interface DeviceChannels {
  readonly chn: number;
  /** One character a channel each, the leftmost is channel 1. */
  readonly installchs: string;
  readonly ptzchs: string;
  readonly talkchs: string;
}

/** A count of 0 in the device's record stands for "as the terminal says"; any other was set by hand and holds. */
export function channelsOf(device: DeviceChannels, told: ReportedChannels | undefined): DeviceChannels {
  const isSetByHand = device.chn > 0 || told === undefined;
  const chn = isSetByHand ? device.chn : told.count;
  const installchs = isSetByHand ? device.installchs : told.installed;
  const turns = (channel: number): boolean =>
    device.ptzchs[channel - 1] === '1' || (!isSetByHand && told.ptz.includes(channel));
  const talks = (channel: number): boolean => device.talkchs[channel - 1] === '1';
  return { chn, installchs, ptzchs: channelBits(chn, turns), talkchs: channelBits(chn, talks) };
}

/** A bit string over the channels from 1. */
export function channelBits(count: number, isSet: (channel: number) => boolean): string {
  return Array.from({ length: count }, (_, bit) => (isSet(bit + 1) ? '1' : '0')).join('');
}
