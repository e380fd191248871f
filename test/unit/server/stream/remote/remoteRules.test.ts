import { describe, expect, it } from 'vitest';
import { firstChannelOf } from '../../../../../server/http/recordings/channelSet.ts';
import { RemotePosition } from '../../../../../server/stream/remote/remotePosition.ts';
import { parseRemoteQuery } from '../../../../../server/stream/remote/remoteSocket.ts';
import { SeekGate } from '../../../../../server/stream/remote/seekGate.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';

const START = Date.UTC(2026, 10, 20, 14);
const RANGE = { start: wallMs(START), end: wallMs(START + 60_000) };

describe('the place of a packet in a recording', () => {
  const times = (media: number, device: number) => ({ mediaTimeUs: mediaUs(media), deviceTimeMs: wallMs(device) });

  it('is its date, where that can be one of the recording', () => {
    expect(new RemotePosition(RANGE).of(times(5, START + 1_234))).toBe(START + 1_234);
  });

  it.each([
    ['without a date', 0],
    ['with a date eight hours off', START + 8 * 3_600_000],
  ])('%s is counted from the moment asked for', (_, device) => {
    const position = new RemotePosition(RANGE);
    expect(position.of(times(7_000_000, device))).toBe(START);
    expect(position.of(times(7_080_000, device))).toBe(START + 80);
    position.jumpTo(wallMs(START + 30_000));
    expect(position.of(times(7_120_000, device))).toBe(START + 30_000);
  });
});

describe('the first packet from a new place', () => {
  const TARGET = wallMs(START + 30_000);
  const key = (position: number, isDiscontinuous = false) => ({
    isKey: true,
    isDiscontinuous,
    isElsewhere: false,
    isDated: true,
    position: wallMs(position),
  });

  it('is a key frame at or behind a jump of the stream, before the terminal has answered too', () => {
    const gate = new SeekGate(TARGET);
    expect(gate.admits(key(START), 0)).toBe(false);
    expect(gate.admits({ ...key(TARGET, true), isKey: false }, 0)).toBe(false);
    expect(gate.admits(key(TARGET), 0)).toBe(true);
  });

  it('is known by its date where the way was short, once the terminal has answered', () => {
    const gate = new SeekGate(TARGET);
    expect(gate.admits(key(TARGET - 1_000), 0)).toBe(false);
    gate.answered(100);
    expect(gate.admits(key(TARGET - 20_000), 150)).toBe(false);
    expect(gate.admits(key(TARGET - 1_000), 200)).toBe(true);
  });

  it('is known by its date before the answer, where the dates have moved on their way', () => {
    const gate = new SeekGate(TARGET);
    expect(gate.admits(key(TARGET - 4_000), 0)).toBe(false);
    // The first picture that came from there was none to begin with.
    expect(gate.admits({ ...key(TARGET - 400), isKey: false, isElsewhere: true }, 10)).toBe(false);
    expect(gate.admits(key(TARGET - 20_000), 20)).toBe(false);
    expect(gate.admits(key(TARGET - 360), 30)).toBe(true);
  });

  it('is any key frame some time after the answer', () => {
    const gate = new SeekGate(TARGET);
    gate.answered(0);
    expect(gate.admits(key(START - 3_600_000), 1_999)).toBe(false);
    expect(gate.admits(key(START - 3_600_000), 2_000)).toBe(true);
  });
});

it.each([
  [1, 1],
  [12, 3],
  [2 ** 31, 32],
  [0, undefined],
  ['1', 1],
  ['0010', 3],
  ['0000', undefined],
  ['', undefined],
] as const)('the channel of %j is %j', (channels, channel) => {
  expect(firstChannelOf(channels)).toBe(channel);
});

it('a stream of a recording needs device, channel and stream id', () => {
  const good = { deviceid: 'D', channel: '2', streamid: '99999999', username: 'u', credential: 'c', audio: '1' };
  const parse = (change: Record<string, string>) => parseRemoteQuery(new URLSearchParams({ ...good, ...change }));
  expect(parse({})).toEqual({
    deviceId: 'D',
    channel: 2,
    streamId: 99_999_999,
    username: 'u',
    credential: 'c',
    wantsAudio: true,
  });
  for (const bad of [
    { streamid: '0' },
    { streamid: '100000000' },
    { streamid: 'x' },
    { channel: '0' },
    { deviceid: '' },
  ])
    expect(parse(bad)).toBeUndefined();
});
