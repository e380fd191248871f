// Where something may be added to what the server has. Pure.
import { mergeRanges, RANGE_JOIN_MS, type TimeRange } from '../../../shared/protocol/timeRanges.ts';

/** Time that is taken: what is recorded, and what is added meanwhile. */
export class TakenTime {
  /** What lies between two that count as one is no gap. */
  readonly #recorded: readonly TimeRange[];
  /** Of these a next one may begin just behind the last, as near to what is recorded as it likes. */
  #added: readonly TimeRange[] = [];

  constructor(recorded: readonly TimeRange[]) {
    this.#recorded = mergeRanges(recorded, RANGE_JOIN_MS);
  }

  add(range: TimeRange): void {
    this.#added = mergeRanges([...this.#added, range], 0);
  }

  /**
   * How far what begins at a moment may go; undefined when the moment itself is taken: what begins there cannot be begun
   * later, since nothing can be decoded without its key frame.
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
