import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { Mp4Writer } from '../../../../../server/recording/export/mp4/mp4Writer.ts';
import { readVideoTrack } from '../../../../../server/recording/export/videoConfig.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { loadDemoClip } from '../../../../../simulator/clip/loadClip.ts';
import { PPS, SPS } from '../../../../support/media/clipPictures.ts';

/** High 5.1, 1920 by 1080, made by x264. */
const HIGH_SPS = Uint8Array.from(Buffer.from('67640033acd940780227e5c044000003000400000300c83c60c658', 'hex'));
const SLICE = [0x65, 1];

function annexB(...units: readonly Iterable<number>[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(units.flatMap((unit) => [0, 0, 0, 1, ...unit]));
}

const hex = (bytes: Iterable<number> | undefined): string => Buffer.from([...(bytes ?? [])]).toString('hex');

describe('the set-up of a decoder', () => {
  it('for H.264 has profile, level and parameter sets', () => {
    const track = readVideoTrack(Codec.H264, annexB(SPS, PPS, SLICE));
    expect(track).toMatchObject({ family: 'avc', width: 1280, height: 720 });
    expect(hex(track?.configuration)).toBe(`014d4028ffe10019${hex(SPS)}010006${hex(PPS)}`);
  });

  it('for H.264 of a high profile says how its colours are sampled', () => {
    const track = readVideoTrack(Codec.H264, annexB(HIGH_SPS, PPS, SLICE));
    expect(track).toMatchObject({ width: 1920, height: 1080 });
    expect(hex(track?.configuration)).toBe(`01640033ffe1001b${hex(HIGH_SPS)}010006${hex(PPS)}fdf8f800`);
  });

  it('for H.265 is understood by another’s reader', async () => {
    const clip = await loadDemoClip('side');
    const [first] = clip.frames;
    const video = first && readVideoTrack(Codec.H265, first.bytes);
    if (first === undefined || video === undefined) throw new Error('the parameter sets cannot be read');
    expect(video).toMatchObject({ family: 'hevc', width: 640, height: 360 });
    const writer = new Mp4Writer({ video, sound: undefined, startMs: 0, durationMs: 40 });
    writer.addPicture({ bytes: new Uint8Array(first.bytes), timeUs: 0, isKey: true });
    writer.finish();
    const file = writer.take();
    if (file === undefined) throw new Error('nothing was written');
    const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
    const track = await input.getPrimaryVideoTrack();
    expect([track?.codec, track?.codedWidth, track?.codedHeight]).toEqual(['hevc', 640, 360]);
    // Main profile, main tier, level 2.1. The reader has but one name for both kinds of sample entry.
    expect(await track?.getCodecParameterString()).toBe('hev1.1.6.L63.90');
    expect(Buffer.from(file).includes('hvc1')).toBe(true);
  });

  it('is none without parameter sets, with damaged ones and for other codecs', () => {
    expect(readVideoTrack(Codec.H264, annexB(SLICE))).toBeUndefined();
    expect(readVideoTrack(Codec.H264, annexB(SPS, SLICE))).toBeUndefined();
    expect(readVideoTrack(Codec.H264, annexB(SPS.subarray(0, 6), PPS, SLICE))).toBeUndefined();
    expect(readVideoTrack(Codec.H265, annexB([0x40, 1, 1], [0x42, 1, 1], [0x44, 1, 1]))).toBeUndefined();
    expect(readVideoTrack(Codec.Av1, annexB(SPS, PPS, SLICE))).toBeUndefined();
  });
});
