import { describe, expect, it } from 'vitest';
import type { MediaFrame } from '../../../../../server/device/jt1078/codec/assembler.ts';
import { PayloadType } from '../../../../../server/device/jt1078/codec/payloadTypes.ts';
import { stripHiSiliconHeader } from '../../../../../server/device/jt1078/hiSilicon.ts';
import { Packetiser } from '../../../../../server/device/jt1078/packetiser.ts';
import { joinNalUnits } from '../../../../../server/media/h264/annexB.ts';
import type { HubPacket } from '../../../../../server/media/hubPacket.ts';
import { parseStreamEvent } from '../../../../../shared/protocol/stream/streamMessages.ts';
import {
  Codec,
  PacketKind,
  readPacket,
  type StreamPacket,
} from '../../../../../shared/protocol/stream/streamPacket.ts';

const SPS = [0x67, 0x4d, 0x40, 0x1e, 0x9a];
const PPS = [0x68, 0xee, 0x3c, 0x80];
const KEY = joinNalUnits([SPS, PPS, [0x65, 0x88, 0x84]].map((bytes) => ({ type: 0, bytes: Uint8Array.from(bytes) })));
const DELTA = joinNalUnits([{ type: 1, bytes: Uint8Array.from([0x41, 1]) }]);
const hevc = (...units: number[][]): Uint8Array =>
  joinNalUnits(units.map((bytes) => ({ type: 0, bytes: Uint8Array.from(bytes) })));
const HEVC_SPS = [0x42, 1, 1, ...Array<number>(12).fill(0x11), 0xa0];
const HEVC_KEY = hevc([0x40, 1, 0x0c], HEVC_SPS, [0x44, 1, 0xc1], [0x26, 1, 0xaf]);
const HEVC_DELTA = hevc([0x02, 1, 0xd0]);

const frame = (bytes: Uint8Array, timestampMs: number, change: Partial<MediaFrame> = {}): MediaFrame => ({
  kind: 'frame',
  channel: 1,
  media: 'video',
  dataType: 1,
  payloadType: PayloadType.H264,
  timestampMs,
  bytes,
  lost: false,
  ...change,
});

const sound = (bytes: number[], timestampMs: number): MediaFrame =>
  frame(Uint8Array.from(bytes), timestampMs, { media: 'audio', dataType: 3, payloadType: PayloadType.G711A });

function read(packets: readonly HubPacket[]): StreamPacket[] {
  return packets.map(({ bytes }) => {
    const result = readPacket(bytes);
    if (result.kind !== 'packet') throw new Error(result.kind);
    return result.packet;
  });
}

describe('Packetiser', () => {
  it('begins with a key frame, flagged as a new beginning', () => {
    const packetiser = new Packetiser();
    expect(packetiser.push(frame(DELTA, 0), 0)).toEqual([]);
    const [key] = read(packetiser.push(frame(KEY, 40), 40));
    expect(key).toMatchObject({ kind: PacketKind.Video, codec: Codec.H264, key: true, discontinuity: true });
    const [delta] = read(packetiser.push(frame(DELTA, 80), 80));
    expect(delta).toMatchObject({ key: false, discontinuity: false, mediaTimeUs: 80_000 });
  });

  it('goes by the bit stream, whatever the terminal calls the frame', () => {
    const [key] = read(new Packetiser().push(frame(KEY, 0, { dataType: 1 }), 0));
    expect(key?.key).toBe(true);
  });

  it('sends nothing after a loss until the next key frame', () => {
    const packetiser = new Packetiser();
    packetiser.push(frame(KEY, 0), 0);
    expect(packetiser.push(frame(DELTA, 40, { lost: true }), 40)).toEqual([]);
    expect(packetiser.push(frame(DELTA, 80), 80)).toEqual([]);
    expect(read(packetiser.push(frame(KEY, 120), 120))[0]).toMatchObject({ key: true, discontinuity: true });
  });

  it.each([9_000_000, -9_000_000, -2_000])(
    'flags the picture at which the clock was set by %i ms, and leaves out none',
    (byMs) => {
      const packetiser = new Packetiser();
      const stampOf = (at: number): number => 10_000_000 + at * 40 + (at >= 3 ? byMs : 0);
      const pictures = Array.from({ length: 10 }, (_, at) => frame(at % 5 === 0 ? KEY : DELTA, stampOf(at)));
      const packets = pictures.flatMap((picture, at) => read(packetiser.push(picture, at * 40)));
      expect(packets.map(({ mediaTimeUs }) => mediaTimeUs / 40_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(packets.flatMap(({ discontinuity }, at) => (discontinuity ? [at] : []))).toEqual([0, 3]);
    },
  );

  it('flags the key frame behind a hole, be it the one that itself bears the news of the loss', () => {
    const packetiser = new Packetiser();
    packetiser.push(frame(KEY, 0), 0);
    packetiser.push(frame(DELTA, 40), 40);
    expect(read(packetiser.push(frame(KEY, 2_000, { lost: true }), 2_000))[0]).toMatchObject({ discontinuity: true });
    expect(read(packetiser.push(frame(KEY, 2_040), 2_040))[0]).toMatchObject({ discontinuity: false });
  });

  it.each([
    ['30 pictures a second', 33],
    ['a picture a second', 1_000],
    ['a key frame every ten seconds', 10_000],
  ])('flags a hole in the times of %s, and no jitter', (_what, stepMs) => {
    const packetiser = new Packetiser();
    let timeMs = 0;
    const flagged = Array.from({ length: 12 }, (_, at) => {
      // Late by a third, early by a third, and from the ninth on behind a hole.
      timeMs = at * stepMs + ([0, 1 / 3, -1 / 3].at(at % 3) ?? 0) * stepMs + (at >= 9 ? 3 * stepMs + 1_000 : 0);
      return read(packetiser.push(frame(KEY, Math.round(timeMs)), Math.round(timeMs)))[0]?.discontinuity;
    });
    expect(flagged.flatMap((isFlagged, at) => (isFlagged === true ? [at] : []))).toEqual([0, 9]);
  });

  it('says what the sound is before its first frame, once', () => {
    const packetiser = new Packetiser();
    const [format, first] = read(packetiser.push(sound([1, 2, 3], 0), 0));
    expect(parseStreamEvent(format?.payload ?? new Uint8Array())).toEqual({
      type: 'format',
      codec: Codec.G711A,
      sampleRate: 8_000,
      channels: 1,
    });
    expect(first).toMatchObject({ kind: PacketKind.Audio, codec: Codec.G711A });
    expect(packetiser.push(sound([1], 40), 40)).toHaveLength(1);
  });

  it('says so again when the sound changes', () => {
    const packetiser = new Packetiser();
    packetiser.push(sound([1, 2], 0), 0);
    const packets = packetiser.push({ ...sound([1, 2], 40), payloadType: PayloadType.G711U }, 40);
    expect(packets.map((packet) => packet.isFormat)).toEqual([true, undefined]);
    expect(read(packets)[1]).toMatchObject({ codec: Codec.G711U });
  });

  it('begins anew at a key frame when the camera is set to another codec', () => {
    const packetiser = new Packetiser();
    packetiser.push(frame(KEY, 0), 0);
    const hevc = { payloadType: PayloadType.H265 };
    expect(packetiser.push(frame(HEVC_DELTA, 40, hevc), 40)).toEqual([]);
    const [key] = read(packetiser.push(frame(HEVC_KEY, 80, hevc), 80));
    expect(key).toMatchObject({ codec: Codec.H265, key: true, discontinuity: true });
    expect(read(packetiser.push(frame(HEVC_DELTA, 120, hevc), 120))[0]).toMatchObject({
      codec: Codec.H265,
      key: false,
    });
  });

  it('passes on no codec that it cannot name', () => {
    expect(new Packetiser().push(frame(KEY, 0, { payloadType: 100 }), 0)).toEqual([]);
  });
});

describe('stripHiSiliconHeader', () => {
  it.each([
    ['a header that states the length', [0, 1, 2, 0, 9, 9, 9, 9], [9, 9, 9, 9]],
    ['samples that only look like one', [0, 1, 3, 0, 9, 9, 9, 9], [0, 1, 3, 0, 9, 9, 9, 9]],
    ['samples alone', [9, 9, 9, 9, 9], [9, 9, 9, 9, 9]],
    ['a header without samples', [0, 1, 0, 0], [0, 1, 0, 0]],
  ])('knows %s', (_what, bytes, expected) => {
    expect([...stripHiSiliconHeader(Uint8Array.from(bytes))]).toEqual(expected);
  });
});
