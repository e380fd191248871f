import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameBits } from '../../../../../../server/recording/export/aac/frameBits.ts';

const CAPACITY = 4_096;

interface Step {
  readonly value: number;
  readonly count: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({ value: fc.integer(), count: fc.integer({ min: 1, max: 32 }) });

/** The bits of a step in letters, as the standard describes them. */
function lettersOf({ value, count }: Step): string {
  return (value >>> 0).toString(2).padStart(32, '0').slice(-count);
}

describe('a frame’s bits', () => {
  it('stand one behind another, and end with zeros', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), fc.array(anyStep, { maxLength: 4 }), (steps, others) => {
        const letters = steps.map(lettersOf).join('');
        fc.pre(letters.length + others.map(lettersOf).join('').length < CAPACITY * 8);
        const to = new FrameBits(CAPACITY);
        // What an earlier frame left in the memory does not matter.
        for (const { value, count } of others) to.bits(value, count);
        to.clear();
        for (const { value, count } of steps) to.bits(value, count);
        const length = to.align();
        const written = [...to.bytes.subarray(0, length)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
        expect(written).toBe(letters.padEnd(Math.ceil(letters.length / 8) * 8, '0'));
      }),
    );
  });

  it('go on behind the zeros of a byte', () => {
    const to = new FrameBits(16);
    to.bits(0b101, 3);
    expect(to.align()).toBe(1);
    expect(to.align()).toBe(1);
    to.bits(0x123456, 24);
    expect(to.align()).toBe(4);
    to.bits(0x7f, 8);
    expect(to.align()).toBe(5);
    expect([...to.bytes.subarray(0, 5)]).toEqual([0b1010_0000, 0x12, 0x34, 0x56, 0x7f]);
  });
});
