import { describe, expect, it } from 'vitest';
import { BitReader } from '../../../../../../shared/protocol/codec/video/bitReader.ts';

describe('BitReader', () => {
  it('reads bits, numbers with a sign and without, and says where it is', () => {
    // 1 0110 1 | 00100 (3) | 00101 (4: minus two) | 1 (0)
    const reader = new BitReader(Uint8Array.of(0b10110100, 0b10000101, 0b10000000));
    expect([reader.flag(), reader.bits(4), reader.flag()]).toEqual([true, 0b0110, true]);
    expect(reader.position).toBe(6);
    expect([reader.unsigned(), reader.signed(), reader.unsigned()]).toEqual([3, -2, 0]);
    expect(reader.overrun).toBe(false);
  });

  it('skips, up to the end and not past it', () => {
    const reader = new BitReader(Uint8Array.of(0xff, 0x80));
    reader.skip(8);
    expect(reader.bit()).toBe(1);
    reader.skip(7);
    expect([reader.position, reader.overrun]).toEqual([16, false]);
    reader.skip(1);
    expect([reader.position, reader.overrun]).toEqual([16, true]);
  });

  it('gives zeros past the end, and says so', () => {
    const reader = new BitReader(Uint8Array.of(0xff));
    expect(reader.bits(12)).toBe(0xff0);
    expect(reader.overrun).toBe(true);
  });

  it('ends a number whose prefix never does', () => {
    const reader = new BitReader(new Uint8Array(100));
    expect(reader.unsigned()).toBe(0);
    expect(reader.overrun).toBe(true);
    expect(reader.position).toBeLessThan(40);
  });

  it('reads the largest number that there is', () => {
    const reader = new BitReader(Uint8Array.of(0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x80));
    expect(reader.unsigned()).toBe(2 ** 33 - 2);
    expect(reader.overrun).toBe(false);
  });
});
