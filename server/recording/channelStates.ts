import type { ChannelKey } from '../media/channelKey.ts';

/** Bit n: channel n + 1. */
export interface ChannelStates {
  /** Should be recorded now, and may be. */
  readonly dueBits: number;
  /** Something was written lately. */
  readonly writtenBits: number;
  /** Should be recorded now, but the device's data plan leaves no video for it. */
  readonly withheldBits: number;
}

type Channel = Pick<ChannelKey, 'deviceId' | 'channel'>;

/** By device id; devices of which nothing should be recorded and nothing is are left out. */
export function channelStatesOf(
  due: readonly Channel[],
  written: readonly Channel[],
  withheld: readonly Channel[] = [],
): Map<string, ChannelStates> {
  const dueBits = bitsByDevice(due);
  const writtenBits = bitsByDevice(written);
  const withheldBits = bitsByDevice(withheld);
  const deviceIds = new Set([...dueBits.keys(), ...writtenBits.keys(), ...withheldBits.keys()]);
  return new Map(
    [...deviceIds].map((deviceId) => [
      deviceId,
      {
        dueBits: dueBits.get(deviceId) ?? 0,
        writtenBits: writtenBits.get(deviceId) ?? 0,
        withheldBits: withheldBits.get(deviceId) ?? 0,
      },
    ]),
  );
}

const CHANNELS = 32;

/** In order. */
export function withheldChannels(states: Pick<ChannelStates, 'withheldBits'> | undefined): number[] {
  const bits = states?.withheldBits ?? 0;
  return Array.from({ length: CHANNELS }, (_, at) => at + 1).filter((channel) => (bits & (1 << (channel - 1))) !== 0);
}

function bitsByDevice(channels: readonly Channel[]): Map<string, number> {
  const bits = new Map<string, number>();
  for (const { deviceId, channel } of channels) {
    if (channel >= 1 && channel <= CHANNELS) bits.set(deviceId, (bits.get(deviceId) ?? 0) | (1 << (channel - 1)));
  }
  return bits;
}
