import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setBits } from '../../../../../server/events/signals/setBits.ts';
import { bits } from './reports.ts';

it.each([
  [0, []],
  [1, [0]],
  [0x80000000, [31]],
  [0x80000001, [0, 31]],
  [0b110100, [2, 4, 5]],
  [0xffffffff, Array.from({ length: 32 }, (_, bit) => bit)],
])('the set bits of %d are %j', (word, expected) => {
  expect(setBits(word)).toEqual(expected);
});

it('the set bits make the word again, whatever it is', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff });
  fc.assert(fc.property(word, (any) => bits(...setBits(any)) === any));
});

it('the set bits of a word with a sign are those of its 32 bits', () => {
  expect(setBits(-1)).toHaveLength(32);
});
