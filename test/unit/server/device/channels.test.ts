import { describe, expect, it } from 'vitest';
import { channelsOf, toldChannels } from '../../../../server/device/channels.ts';
import type { AvAttributes } from '../../../../server/device/jt808/codec/messages/live.ts';
import { idleTimeoutMs } from '../../../../server/device/jt808/idleTimeout.ts';

const channel = (logicalChannel: number, ptz = 0) => ({
  physicalChannel: logicalChannel,
  logicalChannel,
  type: 0,
  ptz,
});
const attributes = (maxVideoChannels: number): AvAttributes => ({
  audioCodec: 6,
  audioChannels: 1,
  sampleRate: 0,
  sampleBits: 1,
  audioFrameBytes: 320,
  audioOutput: 1,
  videoCodec: 98,
  maxAudioChannels: 1,
  maxVideoChannels,
});

describe('toldChannels', () => {
  it('takes the table of channels, holes included, and knows which can be turned', () => {
    const table = { audioVideo: [channel(1), channel(4, 1)], audio: [channel(33)], video: [channel(2)] };
    expect(toldChannels(table, attributes(8))).toEqual({ count: 4, installed: '1101', ptz: [4] });
  });

  it('takes the number of video channels where there is no table', () => {
    expect(toldChannels(undefined, attributes(3))).toEqual({ count: 3, installed: '111', ptz: [] });
    const audioOnly = { audioVideo: [], audio: [channel(33)], video: [] };
    expect(toldChannels(audioOnly, attributes(2))?.count).toBe(2);
  });

  it('knows nothing of a terminal that says nothing', () => {
    expect(toldChannels(undefined, undefined)).toBeUndefined();
    expect(toldChannels(undefined, attributes(0))).toBeUndefined();
  });
});

describe('channelsOf', () => {
  const told = { count: 4, installed: '1101', ptz: [] };

  it('keeps a count that was set by hand', () => {
    expect(channelsOf({ chn: 2, installchs: '10' }, told)).toEqual({ chn: 2, installchs: '10' });
  });

  it('takes what the terminal says where the record leaves it open', () => {
    expect(channelsOf({ chn: 0, installchs: '' }, told)).toEqual({ chn: 4, installchs: '1101' });
    expect(channelsOf({ chn: 0, installchs: '' }, undefined)).toEqual({ chn: 0, installchs: '' });
  });
});

describe('idleTimeoutMs', () => {
  it.each([
    [undefined, 900_000],
    [0, 900_000],
    [5, 60_000],
    [30, 90_000],
    [600, 1_800_000],
    [0xffff_ffff, 21_600_000],
  ])('is three heartbeats within bounds: %s s', (heartbeatSeconds, expected) => {
    expect(idleTimeoutMs(heartbeatSeconds)).toBe(expected);
  });
});
