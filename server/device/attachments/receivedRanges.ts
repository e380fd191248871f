// The parts of a file that have been received: ranges that neither overlap nor touch, by offset. A part that is received twice counts once.
import type { FileRange } from '../jt808/codec/messages/attachments.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

export class ReceivedRanges {
  readonly #sizeBytes: number;
  readonly #maxRanges: number;
  readonly #ranges: Range[] = [];

  /** `maxRanges` bounds the memory that a sender can use by leaving a gap behind every block. */
  constructor(sizeBytes: number, maxRanges: number) {
    this.#sizeBytes = sizeBytes;
    this.#maxRanges = maxRanges;
  }

  /** Bytes received. */
  get bytes(): number {
    return this.#ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  get isComplete(): boolean {
    if (this.#sizeBytes === 0) return true;
    const [only] = this.#ranges;
    return this.#ranges.length === 1 && only?.from === 0 && only.to === this.#sizeBytes;
  }

  /** Whether the range lies within the file and there is room to remember it. */
  takes(offset: number, lengthBytes: number): boolean {
    if (lengthBytes === 0 || offset + lengthBytes > this.#sizeBytes) return false;
    if (this.#ranges.length < this.#maxRanges) return true;
    const next = this.#ranges[this.#firstReaching(offset)];
    return next !== undefined && next.from <= offset + lengthBytes;
  }

  /** Adds a range that `takes` allows. The search is binary: a sender of one-byte blocks sends millions of them. */
  add(offset: number, lengthBytes: number): void {
    let [from, to] = [offset, offset + lengthBytes];
    const first = this.#firstReaching(from);
    let end = first;
    for (let range = this.#ranges[end]; range !== undefined && range.from <= to; range = this.#ranges[++end]) {
      [from, to] = [Math.min(from, range.from), Math.max(to, range.to)];
    }
    this.#ranges.splice(first, end - first, { from, to });
  }

  /** The first gaps. */
  missing(maxRanges: number): FileRange[] {
    const gaps: FileRange[] = [];
    let from = 0;
    for (const range of [...this.#ranges, { from: this.#sizeBytes, to: this.#sizeBytes }]) {
      if (gaps.length === maxRanges) break;
      if (range.from > from) gaps.push({ offset: from, lengthBytes: range.from - from });
      from = range.to;
    }
    return gaps;
  }

  /** The index of the first range that ends at the offset or behind it; the number of ranges where none does. */
  #firstReaching(offset: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle]?.to ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
