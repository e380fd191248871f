// What lies in ranges of time, and between them. Ranges are in order and don't touch. Pure.

import type { WeekSchedule } from './api/weekWindows.ts';
import { clipRange, mergeRanges, type TimeRange } from './timeRanges.ts';
import { dayStarts, momentOf, wallClockMs } from './timeZones.ts';

/** Clips ranges to a window. */
export function clipAll(ranges: readonly TimeRange[], window: TimeRange): TimeRange[] {
  return ranges.flatMap((range) => clipRange(range, window) ?? []);
}

/** What lies in both. */
export function intersect(left: readonly TimeRange[], right: readonly TimeRange[]): TimeRange[] {
  const both: TimeRange[] = [];
  for (let l = 0, r = 0; ; ) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) return both;
    const common = clipRange(a, b);
    if (common !== undefined) both.push(common);
    if (a.toMs < b.toMs) l++;
    else r++;
  }
}

/** What of the first lies in none of the second. */
export function subtract(ranges: readonly TimeRange[], without: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = [];
  let at = 0;
  for (const range of ranges) {
    let { fromMs } = range;
    while ((without[at]?.toMs ?? Number.POSITIVE_INFINITY) <= fromMs) at++;
    for (let next = at; fromMs < range.toMs; next++) {
      const hole = without[next];
      if (hole === undefined || hole.fromMs >= range.toMs) {
        left.push({ fromMs, toMs: range.toMs });
        break;
      }
      if (hole.fromMs > fromMs) left.push({ fromMs, toMs: hole.fromMs });
      fromMs = Math.max(fromMs, hole.toMs);
    }
  }
  return left;
}

export function lengthOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The first day of 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** The hours of a schedule in a window, on the wall clock of a zone; a schedule without windows is for any time. */
export function scheduledSpans(schedule: WeekSchedule, timeZone: string, window: TimeRange): TimeRange[] {
  if (schedule.length === 0) return [window];
  // A window of the day before may reach into the first day.
  const starts = dayStarts(window.fromMs - DAY_MS, window.toMs, timeZone);
  const spans = starts.flatMap((startMs) => {
    // Summer may leave midnight out, not noon.
    const day = Math.floor(wallClockMs(startMs + DAY_MS / 2, timeZone) / DAY_MS);
    const weekday = ((day + FIRST_WEEKDAY) % 7) + 1;
    const moment = (minute: number): number => momentOf(day * DAY_MS + minute * MINUTE_MS, timeZone);
    return schedule
      .filter(({ days }) => days.includes(weekday))
      .map(({ fromMinute, toMinute }) => ({
        fromMs: moment(fromMinute),
        toMs: moment(fromMinute < toMinute ? toMinute : toMinute + DAY_MS / MINUTE_MS),
      }));
  });
  return clipAll(mergeRanges(spans, 0), window);
}
