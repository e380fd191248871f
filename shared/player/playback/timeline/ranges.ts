// Stretches of time of which there are recordings. Pure.

/** Half open. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Two recordings this close are one to a viewer. */
const CLOSE_MS = 2_000;
/** So soon behind its start, "the recording before" is the one before this one. */
const JUST_BEGUN_MS = 3_000;

/** The ranges in order, with those that overlap or nearly touch merged. */
export function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const whole: TimeRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.fromMs - right.fromMs)) {
    const last = whole.at(-1);
    if (last === undefined || range.fromMs > last.toMs + CLOSE_MS) whole.push(range);
    else whole[whole.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, range.toMs) };
  }
  return whole;
}

/** Where the next recording begins. The ranges are in order. */
export function nextStart(ranges: readonly TimeRange[], positionMs: number): number | undefined {
  return ranges.find(({ fromMs }) => fromMs > positionMs)?.fromMs;
}

/** Where this recording began, or the one before it. */
export function previousStart(ranges: readonly TimeRange[], positionMs: number): number | undefined {
  return ranges.findLast(({ fromMs }) => fromMs < positionMs - JUST_BEGUN_MS)?.fromMs;
}
