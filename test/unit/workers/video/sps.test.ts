import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSps, removeEscapes } from '../../../../workers/video/annexB.ts';
import { parseSps } from '../../../../workers/video/sps.ts';
import { annexB, fromHex, IDR, PARAMETER_SETS, PPS, SLICE, setNamed } from './parameterSets.ts';

describe('parseSps', () => {
  it.each(PARAMETER_SETS)('reads $name', ({ hex, codec, width, height, isInterlaced = false, maxReorderFrames }) => {
    expect(parseSps(fromHex(hex))).toEqual({ codec, width, height, isInterlaced, maxReorderFrames });
  });

  it.each(PARAMETER_SETS)('gives no size for the first half of $name', ({ hex }) => {
    expect(parseSps(fromHex(hex).subarray(0, 6))).toBeUndefined();
  });

  it('takes no other unit for a parameter set', () => {
    expect(parseSps(Uint8Array.from(PPS))).toBeUndefined();
  });

  it('gives a result for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const info = parseSps(Uint8Array.of(0x67, ...bytes));
        if (info !== undefined) expect(Math.min(info.width, info.height)).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('removeEscapes', () => {
  it('drops the third byte of 00 00 03 alone', () => {
    const escaped = Uint8Array.of(0, 0, 3, 1, 0, 3, 0, 0, 3, 0, 0, 3, 3);
    expect([...removeEscapes(escaped)]).toEqual([0, 0, 1, 0, 3, 0, 0, 0, 0, 3]);
  });
});

describe('findSps', () => {
  const sps = setNamed('CIF');

  it.each([
    ['first', annexB(sps, PPS, IDR)],
    ['behind a delimiter', annexB([0x09, 0x10], sps, PPS, IDR)],
    ['with filling behind it', annexB([...sps, 0, 0], PPS, IDR)],
    ['behind a three-byte start code', annexB([0x09, 0x10], sps).slice(1)],
  ])('finds the set %s', (_place, accessUnit) => {
    expect([...(findSps(accessUnit) ?? [])]).toEqual([...sps]);
  });

  it('finds none where there is none', () => {
    expect(findSps(annexB(SLICE))).toBeUndefined();
    expect(findSps(new Uint8Array())).toBeUndefined();
  });

  it('does not look behind a slice', () => {
    expect(findSps(annexB(SLICE, sps))).toBeUndefined();
  });
});
