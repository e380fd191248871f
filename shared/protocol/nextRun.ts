// When a schedule runs next. Pure.
import { momentOf, wallClockMs } from './timeZones.ts';

export interface When {
  readonly every: 'daily' | 'weekly' | 'monthly';
  /** From 1, Monday, to 7; for `weekly`. */
  readonly weekday: number;
  /** For `monthly`; in a shorter month its last day. */
  readonly monthDay: number;
  readonly minuteOfDay: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The first day of 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;
/** From the last day of a month to that of the next one, and a day for the zone. */
const MOST_DAYS = 64;

/**
 * The first run after a moment. A time that the start of summer time skips is moved later by as much as the clock is put forward;
 * of a time that comes twice, the first counts.
 */
export function nextRun(when: When, timeZone: string, afterMs: number): number {
  const today = Math.floor(wallClockMs(afterMs, timeZone) / DAY_MS);
  for (let day = today; day <= today + MOST_DAYS; day++) {
    if (!isRunDay(when, day)) continue;
    const atMs = momentOf(day * DAY_MS + when.minuteOfDay * MINUTE_MS, timeZone);
    if (atMs > afterMs) return atMs;
  }
  throw new RangeError('a schedule has no next run');
}

/** `day`: days since 1970 on the wall clock. */
function isRunDay({ every, weekday, monthDay }: When, day: number): boolean {
  switch (every) {
    case 'daily':
      return true;
    case 'weekly':
      return ((day + FIRST_WEEKDAY) % 7) + 1 === weekday;
    case 'monthly': {
      const date = new Date(day * DAY_MS);
      const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
      return date.getUTCDate() === Math.min(monthDay, lastDay);
    }
  }
}
