import { describe, expect, it } from 'vitest';
import { findSps } from '../../../../../workers/video/decode/annexB.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from './parameterSets.ts';

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
