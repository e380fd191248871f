import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeEscapes } from '../../../../../../shared/protocol/codec/video/escapes.ts';
import { avcCodecName, parseSps } from '../../../../../../shared/protocol/codec/video/sps.ts';
import { runs } from '../../../../../support/runs.ts';
import { fromHex, PARAMETER_SETS, SETS_BY_X264 } from '../../video/knownSets.ts';

const PPS = '68ee3c80';

describe('parseSps', () => {
  it.each(PARAMETER_SETS)('reads $name', ({ hex, codec, width, height, isInterlaced = false, maxReorderFrames }) => {
    const sps = parseSps(fromHex(hex));
    expect(sps).toMatchObject({ width, height, slices: { mayBeFields: isInterlaced } });
    expect(sps?.maxReorderFrames).toBe(maxReorderFrames);
    expect(sps && avcCodecName(sps)).toBe(codec);
  });

  it.each(SETS_BY_X264)('reads how $name counts the order, and where it ends', ({ bytes, pocType, reorder }) => {
    const sps = parseSps(bytes);
    expect(sps).toMatchObject({ pocType, maxReorderFrames: reorder });
    expect(sps?.places?.reorder).toBeLessThan(removeEscapes(bytes).length * 8);
  });

  it.each([
    ['high 10, scaling matrices', { chromaFormat: 1, lumaBits: 10, chromaBits: 10 }],
    ['high 4:4:4, B pictures', { chromaFormat: 3, lumaBits: 8, chromaBits: 8 }],
    ['main 4.0, 720p', { chromaFormat: 1, lumaBits: 8, chromaBits: 8 }],
  ])('reads of what the points of %s are made', (name, samples) => {
    expect(parseSps(SETS_BY_X264.find((set) => set.name === name)?.bytes ?? new Uint8Array())?.samples).toEqual(
      samples,
    );
  });

  it.each(PARAMETER_SETS)('gives no size for the first half of $name', ({ hex }) => {
    expect(parseSps(fromHex(hex).subarray(0, 6))).toBeUndefined();
  });

  it.each(SETS_BY_X264)('knows the picture of $name where it breaks off behind it, and not its order', ({ bytes }) => {
    const whole = parseSps(bytes);
    const byte = Math.ceil((whole?.places?.vuiFlag ?? 0) / 8) + 1;
    const broken = parseSps(bytes.subarray(0, byte));
    expect(broken).toEqual({ ...whole, maxReorderFrames: undefined, timing: undefined, places: undefined });
  });

  it('takes no other unit for a parameter set', () => {
    expect(parseSps(fromHex(PPS))).toBeUndefined();
    expect(parseSps(new Uint8Array())).toBeUndefined();
  });

  it('gives a result for any bytes, and a size with it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const sps = parseSps(Uint8Array.of(0x67, ...bytes));
        if (sps !== undefined) expect(Math.min(sps.width, sps.height)).toBeGreaterThan(0);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('removeEscapes', () => {
  it('drops the third byte of 00 00 03 alone', () => {
    const escaped = Uint8Array.of(0, 0, 3, 1, 0, 3, 0, 0, 3, 0, 0, 3, 3);
    expect([...removeEscapes(escaped)]).toEqual([0, 0, 1, 0, 3, 0, 0, 0, 0, 3]);
  });

  it('copies nothing where there is nothing to drop', () => {
    const plain = Uint8Array.of(0x67, 0, 0, 1, 3);
    expect(removeEscapes(plain)).toBe(plain);
  });
});
