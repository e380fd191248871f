// Finds where something may be added to the server's recordings. Pure.
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';

/** Time that is taken: recorded ranges, and those added meanwhile. */
export class TakenTime {
  /** Recorded ranges. The time between two that count as one is no gap. */
  readonly #recorded: readonly TimeRange[];
  /** Added ranges. A next one may begin right after the last, however close that is to a recorded range. */
  #added: readonly TimeRange[] = [];

  constructor(recorded: readonly TimeRange[]) {
    this.#recorded = mergeRanges(recorded, RANGE_JOIN_MS);
  }

  add(range: TimeRange): void {
    this.#added = mergeRanges([...this.#added, range], 0);
  }

  /**
   * The end of the free time at a moment; undefined when the moment itself is taken: a group can't begin later than its key frame, since
   * nothing can be decoded without it.
   */
  freeUntil(fromMs: number): number | undefined {
    const [recorded, added] = [freeUntil(this.#recorded, fromMs), freeUntil(this.#added, fromMs)];
    return recorded === undefined || added === undefined ? undefined : Math.min(recorded, added);
  }
}

function freeUntil(ranges: readonly TimeRange[], fromMs: number): number | undefined {
  const next = ranges[firstEndingAfter(ranges, fromMs)];
  if (next === undefined) return Number.POSITIVE_INFINITY;
  return next.fromMs <= fromMs ? undefined : next.fromMs;
}

function firstEndingAfter(ranges: readonly TimeRange[], atMs: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.toMs ?? 0) > atMs) high = middle;
    else low = middle + 1;
  }
  return low;
}
