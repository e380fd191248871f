// Half-open ranges of time, joined and cut. Pure.

/** Recordings at most this far apart are one range: the time from a last picture to the next key frame is no gap. */
export const RANGE_JOIN_MS = 1_000;

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Ranges in order, those that touch or stand at most `joinMs` apart made one. */
export function mergeRanges(ranges: readonly TimeRange[], joinMs: number): TimeRange[] {
  const sorted = [...ranges].sort((left, right) => left.fromMs - right.fromMs);
  const merged: TimeRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.fromMs > last.toMs + joinMs) merged.push(range);
    else if (range.toMs > last.toMs) merged[merged.length - 1] = { fromMs: last.fromMs, toMs: range.toMs };
  }
  return merged;
}

/** What of a range lies inside a window; undefined for nothing. */
export function clipRange({ fromMs, toMs }: TimeRange, window: TimeRange): TimeRange | undefined {
  const clipped = { fromMs: Math.max(fromMs, window.fromMs), toMs: Math.min(toMs, window.toMs) };
  return clipped.fromMs < clipped.toMs ? clipped : undefined;
}
