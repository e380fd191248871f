// Which channels a video page shows: the mask of its address combined with what the device says of itself.

const MAX_CHANNELS_PER_VIEW = 8;
export const DEFAULT_MASK = 255;
export const DEFAULT_REMOTE_MASK = 1;
const MAX_MASK = 2 ** 32 - 1;

export interface DeviceChannels {
  /** Channel count. */
  readonly chn: number;
  /** One character a channel, the leftmost is channel 1; missing or empty restricts nothing. */
  readonly installchs?: string | null;
  readonly livechs?: string | null;
}

export interface DeviceRef {
  readonly deviceId: string;
  readonly mask: number;
}

/** Splits `deviceid[@mask]`. A mask that is no decimal number up to 2^32-1 counts as none. */
export function parseDeviceRef(text: string, defaultMask: number): DeviceRef {
  const at = text.lastIndexOf('@');
  if (at < 0) return { deviceId: text, mask: defaultMask };
  const digits = text.slice(at + 1);
  const mask = /^\d{1,10}$/.test(digits) ? Number(digits) : Number.NaN;
  return { deviceId: text.slice(0, at), mask: mask <= MAX_MASK ? mask : defaultMask };
}

export type ChannelUse = 'live' | 'playback' | 'remote';

/**
 * Channel numbers from 1, ascending, at most eight; for remote playback at most one. Playback ignores `livechs`:
 * a camera that is down now may have recorded then. Remote playback asks the device itself, so its count alone limits.
 */
export function selectChannels(mask: number, device: DeviceChannels, use: ChannelUse): number[] {
  const limit = use === 'remote' ? 1 : MAX_CHANNELS_PER_VIEW;
  const chosen: number[] = [];
  for (let channel = 1; channel <= Math.min(device.chn, 32) && chosen.length < limit; channel++) {
    const inMask = Math.floor(mask / 2 ** (channel - 1)) % 2 === 1;
    if (inMask && allowed(channel, device, use)) chosen.push(channel);
  }
  return chosen;
}

/**
 * The channels of the mask that have a camera and no picture from it. They are shown beside those that are live, as far as the view has
 * room; no stream is opened for them.
 */
export function lostChannels(mask: number, device: DeviceChannels): number[] {
  const live = selectChannels(mask, device, 'live');
  const installed = selectChannels(mask, device, 'playback');
  return installed.filter((channel) => !live.includes(channel)).slice(0, MAX_CHANNELS_PER_VIEW - live.length);
}

function allowed(channel: number, device: DeviceChannels, use: ChannelUse): boolean {
  switch (use) {
    case 'live':
      return isSet(device.installchs, channel) && isSet(device.livechs, channel);
    case 'playback':
      return isSet(device.installchs, channel);
    case 'remote':
      return true;
  }
}

function isSet(bits: string | null | undefined, channel: number): boolean {
  return bits === undefined || bits === null || bits === '' || bits[channel - 1] === '1';
}
