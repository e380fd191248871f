// How many channels a device has, and which have a camera: as set by hand, or as its terminal says.
import type { AvAttributes } from './jt808/codec/messages/live.ts';
import type { ChannelTable } from './jt808/codec/parameterValues.ts';

export interface ToldChannels {
  readonly count: number;
  /** Bit string, the leftmost character is channel 1. */
  readonly installed: string;
  /** Channels whose camera can be turned. */
  readonly ptz: readonly number[];
}

/** What the terminal says: its table of channels, or else how many video channels it can have. Undefined: nothing. */
export function toldChannels(
  table: ChannelTable | undefined,
  attributes: AvAttributes | undefined,
): ToldChannels | undefined {
  const withPicture = [...(table?.audioVideo ?? []), ...(table?.video ?? [])].filter((each) => each.logicalChannel > 0);
  if (withPicture.length > 0) {
    const numbers = new Set(withPicture.map((each) => each.logicalChannel));
    const count = Math.max(...numbers);
    const installed = Array.from({ length: count }, (_, bit) => (numbers.has(bit + 1) ? '1' : '0')).join('');
    return { count, installed, ptz: withPicture.filter((each) => each.ptz === 1).map((each) => each.logicalChannel) };
  }
  const count = attributes?.maxVideoChannels ?? 0;
  return count === 0 ? undefined : { count, installed: '1'.repeat(count), ptz: [] };
}

/** A count of 0 in the device's record stands for "as the terminal says"; any other was set by hand and holds. */
export function channelsOf(
  device: { readonly chn: number; readonly installchs: string },
  told: ToldChannels | undefined,
): { readonly chn: number; readonly installchs: string } {
  if (device.chn > 0 || told === undefined) return { chn: device.chn, installchs: device.installchs };
  return { chn: told.count, installchs: told.installed };
}
