import { describe, expect, it } from 'vitest';
import { channelsOf, reportedChannels } from '../../../../server/device/channels.ts';
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

describe('reportedChannels', () => {
  it('takes the table of channels, holes included, and knows which can be turned', () => {
    const table = { audioVideo: [channel(1), channel(4, 1)], audio: [channel(33)], video: [channel(2)] };
    expect(reportedChannels(table, attributes(8))).toEqual({ count: 4, installed: '1101', ptz: [4] });
  });

  it('takes the number of video channels where there is no table', () => {
    expect(reportedChannels(undefined, attributes(3))).toEqual({ count: 3, installed: '111', ptz: [] });
    const audioOnly = { audioVideo: [], audio: [channel(33)], video: [] };
    expect(reportedChannels(audioOnly, attributes(2))?.count).toBe(2);
  });

  it('knows nothing of a terminal that says nothing', () => {
    expect(reportedChannels(undefined, undefined)).toBeUndefined();
    expect(reportedChannels(undefined, attributes(0))).toBeUndefined();
  });
});

describe('channelsOf', () => {
  const told = { count: 4, installed: '1101', ptz: [2] };
  const plain = { installchs: '', ptzchs: '', talkchs: '' };

  it('keeps a count that was set by hand', () => {
    const device = { chn: 2, installchs: '10', ptzchs: '01', talkchs: '10' };
    expect(channelsOf(device, told)).toEqual(device);
  });

  it('takes what the terminal says where the record leaves it open', () => {
    const none = { ptzchs: '0000', talkchs: '0000' };
    const said = { chn: 4, installchs: '1101', ...none, ptzchs: '0100' };
    expect(channelsOf({ ...plain, chn: 0 }, told)).toEqual(said);
    expect(channelsOf({ ...plain, chn: 0, ptzchs: '1', talkchs: '0001' }, told)).toMatchObject({
      ptzchs: '1100',
      talkchs: '0001',
    });
    expect(channelsOf({ ...plain, chn: 0 }, undefined)).toEqual({ ...plain, chn: 0 });
  });

  it('has one character for each channel, whatever the record holds', () => {
    const device = { chn: 3, installchs: '111', ptzchs: '1', talkchs: '01x11' };
    expect(channelsOf(device, undefined)).toMatchObject({ ptzchs: '100', talkchs: '010' });
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
