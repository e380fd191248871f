// What of a file has come: ranges that neither overlap nor touch, by offset. What is told twice counts once.
import type { FileRange } from '../jt808/codec/messages/attachments.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

export class ReceivedRanges {
  readonly #sizeBytes: number;
  readonly #maxRanges: number;
  #ranges: Range[] = [];

  /** `maxRanges`: a sender that leaves a gap behind every block costs no more memory than so many. */
  constructor(sizeBytes: number, maxRanges: number) {
    this.#sizeBytes = sizeBytes;
    this.#maxRanges = maxRanges;
  }

  get isComplete(): boolean {
    if (this.#sizeBytes === 0) return true;
    const [only] = this.#ranges;
    return this.#ranges.length === 1 && only?.from === 0 && only.to === this.#sizeBytes;
  }

  /** Whether the range lies within the file and there is room to remember it. */
  takes(offset: number, lengthBytes: number): boolean {
    if (lengthBytes === 0 || offset + lengthBytes > this.#sizeBytes) return false;
    return this.#ranges.length < this.#maxRanges || this.#touching(offset, offset + lengthBytes).length > 0;
  }

  /** One that is taken. */
  add(offset: number, lengthBytes: number): void {
    const touching = this.#touching(offset, offset + lengthBytes);
    const from = Math.min(offset, ...touching.map((range) => range.from));
    const to = Math.max(offset + lengthBytes, ...touching.map((range) => range.to));
    const others = this.#ranges.filter((range) => !touching.includes(range));
    const at = others.findIndex((range) => range.from > from);
    this.#ranges = others.toSpliced(at < 0 ? others.length : at, 0, { from, to });
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

  #touching(from: number, to: number): Range[] {
    return this.#ranges.filter((range) => range.from <= to && range.to >= from);
  }
}
