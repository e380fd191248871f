import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameBits } from '../../../../../../server/recording/export/flac/frameBits.ts';

const CAPACITY = 4_096;

type Step =
  | { readonly kind: 'bits'; readonly value: number; readonly count: number }
  | { readonly kind: 'rice'; readonly values: readonly number[]; readonly parameter: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('bits' as const),
    value: fc.integer(),
    count: fc.integer({ min: 1, max: 32 }),
  }),
  fc.record({
    kind: fc.constant('rice' as const),
    values: fc.array(fc.oneof(fc.nat(20), fc.nat(2_000)), { maxLength: 8 }),
    parameter: fc.integer({ min: 0, max: 14 }),
  }),
);

/** As the standard describes it, in letters. */
function lettersOf(step: Step): string {
  if (step.kind === 'bits') return (step.value >>> 0).toString(2).padStart(32, '0').slice(-step.count);
  const { values, parameter } = step;
  return values
    .map((value) => {
      const low = (value % 2 ** parameter).toString(2).padStart(parameter, '0');
      return `${'0'.repeat(Math.floor(value / 2 ** parameter))}1${parameter === 0 ? '' : low}`;
    })
    .join('');
}

function write(to: FrameBits, step: Step): void {
  if (step.kind === 'bits') to.bits(step.value, step.count);
  else to.rice(Int32Array.from([7, ...step.values, 7]), 1, step.values.length + 1, step.parameter);
}

describe('a frame’s bits', () => {
  it('stand one behind another, and end with zeros', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), fc.array(anyStep, { maxLength: 4 }), (steps, others) => {
        const letters = steps.map(lettersOf).join('');
        fc.pre(letters.length + others.map(lettersOf).join('').length < CAPACITY * 8);
        const to = new FrameBits(CAPACITY);
        // What an earlier frame left in the memory does not matter.
        for (const step of others) write(to, step);
        to.clear();
        for (const step of steps) write(to, step);
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
