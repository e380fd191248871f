// Where something may be added to what the server has. Pure.
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';

/** Time that is taken, in order; what lies between two ranges that count as one is no gap. */
export class TakenTime {
  #ranges: readonly TimeRange[];

  constructor(ranges: readonly TimeRange[]) {
    this.#ranges = mergeRanges(ranges, RANGE_JOIN_MS);
  }

  add(range: TimeRange): void {
    this.#ranges = mergeRanges([...this.#ranges, range], RANGE_JOIN_MS);
  }

  /**
   * How far what begins at a moment may go; undefined when the moment itself is taken: what begins there cannot be begun
   * later, since nothing can be decoded without its key frame.
   */
  freeUntil(fromMs: number): number | undefined {
    const behind = this.#firstEndingAfter(fromMs);
    const next = this.#ranges[behind];
    if (next === undefined) return Number.POSITIVE_INFINITY;
    return next.fromMs <= fromMs ? undefined : next.fromMs;
  }

  #firstEndingAfter(atMs: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle]?.toMs ?? 0) > atMs) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
