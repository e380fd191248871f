import { describe, expect, it } from 'vitest';
import { BoxWriter } from '../../../../../../server/recording/export/mp4/boxWriter.ts';
import { boxAt, readBoxes, viewOf } from '../../../../../support/media/boxes.ts';

describe('a box writer', () => {
  it('gives each box the size of what is in it, boxes within included', () => {
    const to = new BoxWriter(4);
    to.box('moov', () => {
      to.fullBox('mvhd', { version: 1, flags: 0x01_0203 }, () => to.u64(7));
      to.box('trak', () => to.box('free', () => to.zeros(3)));
    });
    to.box('free', () => {});
    const boxes = readBoxes(to.finish());
    expect(boxes.map(({ type, size }) => [type, size])).toEqual([
      ['moov', 47],
      ['free', 8],
    ]);
    expect(Buffer.from(boxAt(boxes, 'moov', 'mvhd').body).toString('hex')).toBe('010102030000000000000007');
    expect(boxAt(boxes, 'moov', 'trak').size).toBe(19);
  });

  it('keeps what is written while it grows', () => {
    const to = new BoxWriter(1);
    for (let value = 0; value < 1_000; value++) to.u16(value);
    to.bytes(new Uint8Array(5_000).fill(9));
    const bytes = to.finish();
    expect(bytes).toHaveLength(7_000);
    for (let value = 0; value < 1_000; value++) expect(viewOf(bytes).getUint16(value * 2)).toBe(value);
    expect(bytes.subarray(2_000).every((byte) => byte === 9)).toBe(true);
  });

  it.each([0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 5, Number.MAX_SAFE_INTEGER])('writes %d in 64 bits', (value) => {
    const to = new BoxWriter();
    to.u64(value);
    expect(viewOf(to.finish()).getBigUint64(0)).toBe(BigInt(value));
  });

  it('fills in what was not known', () => {
    const to = new BoxWriter();
    to.u32(0);
    to.i32(-2);
    to.u24(0x01_0203);
    to.setU32(0, 0xffff_fffe);
    expect(Buffer.from(to.finish()).toString('hex')).toBe('fffffffefffffffe010203');
  });
});
