// The codebooks of AAC: the cost of a spectrum's values in each, and how they are written (ISO/IEC 14496-3, 4.6.3).

import { SCALE_FACTOR_CODES, SPECTRUM_CODES } from './codeTables.ts';
import type { FrameBits } from './frameBits.ts';

/** The number of the book that a band's values are written with: 0 means that all of them are 0, the others are the standard's numbers. */
export type BookNumber = number;
export const ZERO_BOOK = 0;
export const BOOK_COUNT = 12;
/** Larger values have no code. */
export const MAX_VALUE = 8191;
const ESCAPE_BOOK = 11;
/** In the escape book this code stands for the value itself and everything above, whose bits follow. */
const ESCAPE_VALUE = 16;

interface Codes {
  readonly bits: Uint32Array;
  readonly lengths: Uint8Array;
}

interface Codebook extends Codes {
  /** Values that share a code. */
  readonly dimension: 2 | 4;
  /** Whether a code contains the signs. Otherwise a bit follows for each value that is not 0. */
  readonly hasSigns: boolean;
  readonly max: number;
  /** Factor between the values in an index. */
  readonly base: number;
  /** Bits of each code, with the signs that follow it. */
  readonly costs: Uint8Array;
}

const SHAPES = [
  { dimension: 4, hasSigns: true, max: 1 },
  { dimension: 4, hasSigns: true, max: 1 },
  { dimension: 4, hasSigns: false, max: 2 },
  { dimension: 4, hasSigns: false, max: 2 },
  { dimension: 2, hasSigns: true, max: 4 },
  { dimension: 2, hasSigns: true, max: 4 },
  { dimension: 2, hasSigns: false, max: 7 },
  { dimension: 2, hasSigns: false, max: 7 },
  { dimension: 2, hasSigns: false, max: 12 },
  { dimension: 2, hasSigns: false, max: 12 },
  { dimension: 2, hasSigns: false, max: ESCAPE_VALUE },
] as const;

const BOOKS: readonly Codebook[] = SHAPES.map((shape, at) => {
  const base = shape.hasSigns ? 2 * shape.max + 1 : shape.max + 1;
  const codes = readCodes(SPECTRUM_CODES[at] ?? '');
  const costs = shape.hasSigns ? codes.lengths : codes.lengths.map((length, index) => length + signsOf(index, base));
  return { ...shape, ...codes, base, costs };
});
const SCALE_FACTORS = readCodes(SCALE_FACTOR_CODES);
/** Largest difference between the scale factors of a band and the band before it, either way. */
export const MAX_SCALE_STEP = 60;

function readCodes(words: string): Codes {
  const marked = words
    .trim()
    .split(/\s+/)
    .map((word) => Number.parseInt(word, 36));
  const lengths = Uint8Array.from(marked, (code) => 31 - Math.clz32(code));
  return { bits: Uint32Array.from(marked, (code, at) => code - 2 ** (lengths[at] ?? 0)), lengths };
}

/** Number of an index's values that are not 0. */
function signsOf(index: number, base: number): number {
  let signs = 0;
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) if (rest % base > 0) signs++;
  return signs;
}

/** The first book with codes for values up to this size, whatever their signs. All books after it have them too. */
export function firstBookFor(largest: number): BookNumber {
  if (largest === 0) return ZERO_BOOK;
  const found = BOOKS.findIndex(({ max }) => largest <= max);
  return found < 0 ? ESCAPE_BOOK : found + 1;
}

/** The bits that the values from one place to another take. Bands are whole tuples of all books. */
export function spectrumBits(book: BookNumber, values: Int32Array, from: number, end: number): number {
  const codebook = BOOKS[book - 1];
  if (codebook === undefined) return 0;
  const bits = codebook.dimension === 4 ? quadBits(codebook, values, from, end) : pairBits(codebook, values, from, end);
  return book === ESCAPE_BOOK ? bits + escapesBits(values, from, end) : bits;
}

// An encoder spends by far most of its time in these two: their values are named, not looped over.

function quadBits({ hasSigns, max, base, costs }: Codebook, values: Int32Array, from: number, end: number): number {
  let bits = 0;
  // The offset makes signed indices count from 0; where no sign is coded, only the values' sizes count.
  const offset = hasSigns ? max * (1 + base + base ** 2 + base ** 3) : 0;
  for (let at = from; at < end; at += 4) {
    const first = values[at] ?? 0;
    const second = values[at + 1] ?? 0;
    const third = values[at + 2] ?? 0;
    const fourth = values[at + 3] ?? 0;
    const index = hasSigns
      ? ((first * base + second) * base + third) * base + fourth
      : ((Math.abs(first) * base + Math.abs(second)) * base + Math.abs(third)) * base + Math.abs(fourth);
    bits += costs[index + offset] ?? 0;
  }
  return bits;
}

function pairBits({ hasSigns, max, base, costs }: Codebook, values: Int32Array, from: number, end: number): number {
  let bits = 0;
  for (let at = from; at < end; at += 2) {
    const first = values[at] ?? 0;
    const second = values[at + 1] ?? 0;
    const index = hasSigns
      ? (first + max) * base + second + max
      : Math.min(Math.abs(first), max) * base + Math.min(Math.abs(second), max);
    bits += costs[index] ?? 0;
  }
  return bits;
}

function escapesBits(values: Int32Array, from: number, end: number): number {
  let bits = 0;
  for (let at = from; at < end; at++) {
    const size = Math.abs(values[at] ?? 0);
    if (size >= ESCAPE_VALUE) bits += escapeBits(size);
  }
  return bits;
}

export function writeSpectrum(
  to: FrameBits,
  book: BookNumber,
  values: Int32Array,
  { from, end }: { readonly from: number; readonly end: number },
): void {
  const codebook = BOOKS[book - 1];
  if (codebook === undefined) return;
  for (let at = from; at < end; at += codebook.dimension) writeTuple(to, codebook, values, at);
}

function writeTuple(to: FrameBits, codebook: Codebook, values: Int32Array, at: number): void {
  const { dimension, hasSigns, max, base, bits, lengths } = codebook;
  let index = 0;
  for (let place = at; place < at + dimension; place++) {
    const value = values[place] ?? 0;
    index = index * base + (hasSigns ? value + max : Math.min(Math.abs(value), max));
  }
  to.bits(bits[index] ?? 0, lengths[index] ?? 0);
  if (hasSigns) return;
  for (let place = at; place < at + dimension; place++) {
    const value = values[place] ?? 0;
    if (value !== 0) to.bits(value < 0 ? 1 : 0, 1);
  }
  if (max < ESCAPE_VALUE) return;
  for (let place = at; place < at + dimension; place++) {
    const size = Math.abs(values[place] ?? 0);
    if (size >= ESCAPE_VALUE) writeEscape(to, size);
  }
}

/** Writes the number of bits after the first, above four, as ones and a zero; then those bits. */
function writeEscape(to: FrameBits, size: number): void {
  const behind = 31 - Math.clz32(size);
  to.bits(2 ** (behind - 3) - 2, behind - 3);
  to.bits(size - 2 ** behind, behind);
}

function escapeBits(size: number): number {
  return 2 * (31 - Math.clz32(size)) - 3;
}

export function writeScaleStep(to: FrameBits, step: number): void {
  const index = step + MAX_SCALE_STEP;
  to.bits(SCALE_FACTORS.bits[index] ?? 0, SCALE_FACTORS.lengths[index] ?? 0);
}
