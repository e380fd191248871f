// Chooses the codebook of each band of a group so that the cost is lowest: neighbors with the same book are a section, which is
// announced once (ISO/IEC 14496-3, 4.6.3).
import { AAC_FRAME_SAMPLES } from '../adts.ts';
import { BOOK_COUNT, type BookNumber, firstBookFor, spectrumBits, ZERO_BOOK } from './codebooks.ts';

export interface Section {
  readonly book: BookNumber;
  readonly bands: number;
}

/** The bands of one group: `count` bands between the edges, from `first` on. */
export interface GroupBands {
  readonly edges: readonly number[];
  readonly first: number;
  readonly count: number;
}

/** Bits for the number of a section's book. */
export const BOOK_BITS = 4;
/** Shortest scale factor, which a band with a book has too. */
const MIN_SCALE_BITS = 1;
/** Number of books to try, from the first that holds the band: books of larger values cost more than they save in sections. */
const USEFUL_BOOKS = 5;
const MAX_BANDS = AAC_FRAME_SAMPLES / 4;

/** The memory is used again for each group. */
export class SectionPlanner {
  /** Bits for a section's book and its length. */
  readonly #headBits: number;
  /** The book before it on the cheapest way to a band and its book. */
  readonly #origins = new Uint8Array(MAX_BANDS * BOOK_COUNT);
  /** Cost of writing all bands up to the current one, by the book of that band. */
  #costs = new Float64Array(BOOK_COUNT);
  #nextCosts = new Float64Array(BOOK_COUNT);

  /** `lengthBits`: bits for a section's length. */
  constructor(lengthBits: number) {
    this.#headBits = BOOK_BITS + lengthBits;
  }

  plan(values: Int32Array, { edges, first, count }: GroupBands): Section[] {
    this.#costs.fill(this.#headBits);
    for (let band = 0; band < count; band++) {
      this.#add(values, band, { from: edges[first + band] ?? 0, end: edges[first + band + 1] ?? 0 });
    }
    return this.#sections(count);
  }

  #add(values: Int32Array, band: number, { from, end }: { readonly from: number; readonly end: number }): void {
    const cheapest = cheapestOf(this.#costs);
    // The head of the first band's section is already counted.
    const change = (this.#costs[cheapest] ?? 0) + (band > 0 ? this.#headBits : 0);
    const next = this.#nextCosts.fill(Number.POSITIVE_INFINITY);
    const first = firstBookFor(largestOf(values, from, end));
    for (let book = first; book < first + USEFUL_BOOKS && book < BOOK_COUNT; book++) {
      const bits = book === ZERO_BOOK ? 0 : MIN_SCALE_BITS + spectrumBits(book, values, from, end);
      const stay = this.#costs[book] ?? 0;
      this.#origins[band * BOOK_COUNT + book] = change < stay ? cheapest : book;
      next[book] = bits + Math.min(stay, change);
    }
    this.#nextCosts = this.#costs;
    this.#costs = next;
  }

  #sections(count: number): Section[] {
    const sections: Section[] = [];
    let book = cheapestOf(this.#costs);
    let bands = 0;
    for (let band = count - 1; band >= 0; band--) {
      bands++;
      const origin = this.#origins[band * BOOK_COUNT + book] ?? 0;
      if (band > 0 && origin === book) continue;
      sections.push({ book, bands });
      bands = 0;
      book = origin;
    }
    return sections.reverse();
  }
}

function largestOf(values: Int32Array, from: number, end: number): number {
  let largest = 0;
  for (let at = from; at < end; at++) largest = Math.max(largest, Math.abs(values[at] ?? 0));
  return largest;
}

function cheapestOf(costs: Float64Array): BookNumber {
  let cheapest = 0;
  for (let book = 1; book < costs.length; book++) {
    if ((costs[book] ?? 0) < (costs[cheapest] ?? 0)) cheapest = book;
  }
  return cheapest;
}
