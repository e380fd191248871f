import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstBookFor,
  MAX_SCALE_STEP,
  MAX_VALUE,
  spectrumBits,
  writeScaleStep,
  writeSpectrum,
} from '../../../../../../server/recording/export/aac/codebooks.ts';
import { SCALE_FACTOR_CODES, SPECTRUM_CODES } from '../../../../../../server/recording/export/aac/codeTables.ts';
import { FrameBits } from '../../../../../../server/recording/export/aac/frameBits.ts';

function written(write: (to: FrameBits) => void): string {
  const to = new FrameBits(1_024);
  write(to);
  // A one shows where the bits end.
  to.bits(1, 1);
  const length = to.align();
  const letters = [...to.bytes.subarray(0, length)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return letters.slice(0, letters.lastIndexOf('1'));
}

/** What a band's values become in a book. */
function bitsOf(book: number, values: readonly number[]): string {
  return written((to) => writeSpectrum(to, book, Int32Array.from(values), { from: 0, end: values.length }));
}

describe('the codebooks', () => {
  it.each([...SPECTRUM_CODES, SCALE_FACTOR_CODES].map((codes, at) => ({ book: at + 1, codes })))(
    'have a code for every run of bits, and each run is one: book $book',
    ({ codes }) => {
      const words = codes
        .trim()
        .split(/\s+/)
        .map((word) => Number.parseInt(word, 36).toString(2).slice(1));
      expect(words.reduce((sum, word) => sum + 2 ** -word.length, 0)).toBe(1);
      const sorted = words.toSorted();
      expect(sorted.some((word, at) => at > 0 && word.startsWith(sorted[at - 1] ?? ''))).toBe(false);
    },
  );

  it('write what the standard lists', () => {
    expect(bitsOf(1, [0, 0, 0, 0])).toBe('0');
    expect(bitsOf(1, [1, 0, 0, 0])).toBe('10000');
    expect(bitsOf(1, [-1, 0, 0, 0])).toBe('10001');
    expect(bitsOf(3, [0, 0, 0, 0])).toBe('0');
    expect(bitsOf(5, [0, 0])).toBe('0');
    // The code of the sizes, then a bit for each sign.
    expect(bitsOf(7, [0, -1])).toBe(`${bitsOf(7, [0, 1]).slice(0, -1)}1`);
    // The code of two escapes, two signs, and for each size one more than four bits behind its first.
    const escapes = bitsOf(11, [-16, 35]);
    expect(escapes.slice(-16)).toBe(`10${'00000'}${'1000011'}`.padStart(16, escapes.slice(-16, -14)));
    expect(bitsOf(0, [0, 0, 0, 0])).toBe('');
    expect(written((to) => writeScaleStep(to, 0))).toBe('0');
    expect(written((to) => writeScaleStep(to, -1))).toBe('100');
    expect(written((to) => writeScaleStep(to, 1))).toBe('1010');
    expect(written((to) => writeScaleStep(to, MAX_SCALE_STEP)).length).toBe(19);
  });

  it('cost what is written, whichever book that can hold the values is taken', () => {
    const anyBand = fc
      .constantFrom(1, 2, 4, 7, 12, 15, 100, MAX_VALUE)
      .chain((most) => fc.array(fc.integer({ min: -most, max: most }), { minLength: 8, maxLength: 8 }));
    fc.assert(
      fc.property(anyBand, (values) => {
        const largest = Math.max(...values.map(Math.abs));
        for (let book = firstBookFor(largest); book <= 11; book++) {
          if (book === 0) continue;
          expect(spectrumBits(book, Int32Array.from(values), 0, 8)).toBe(bitsOf(book, values).length);
        }
      }),
    );
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 3],
    [4, 5],
    [7, 7],
    [12, 9],
    [13, 11],
    [MAX_VALUE, 11],
  ])('hold values up to %d from book %d on', (largest, book) => {
    expect(firstBookFor(largest)).toBe(book);
  });
});
