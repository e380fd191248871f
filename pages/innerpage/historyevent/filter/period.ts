// From a period to its moments in the user's zone. Pure.
import { endOfDay, formatDay, startOfDay } from '../../../../shared/time/format.ts';
import type { HistoryFilter } from './historyFilter.ts';

/** Half-open; undefined for no limit. */
export interface TimeSpan {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** A period that reaches up to now has no end, so that events that begin while the page is open belong to it. */
export function spanOf(
  { period, fromDay, toDay }: Pick<HistoryFilter, 'period' | 'fromDay' | 'toDay'>,
  zone: string,
  nowMs: number,
): TimeSpan {
  const startOf = (daysAgo: number) => startOfDay(dayBefore(nowMs, daysAgo, zone), zone);
  switch (period) {
    case '24h':
      // Whole minutes: the same question within one is answered from memory.
      return { fromMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - 24 * HOUR_MS, toMs: undefined };
    case 'today':
      return { fromMs: startOf(0), toMs: undefined };
    case 'yesterday':
      return { fromMs: startOf(1), toMs: startOf(0) };
    case '7d':
      return { fromMs: startOf(6), toMs: undefined };
    case '30d':
      return { fromMs: startOf(29), toMs: undefined };
    case 'range':
      return { fromMs: startOfDay(fromDay, zone), toMs: endOfDay(toDay, zone) };
  }
}

/** yyyy-MM-dd of the day this many days before a moment's day, by the calendar: days of 23 and 25 hours are days. */
export function dayBefore(atMs: number, days: number, zone: string): string {
  const [year = 0, month = 1, day = 1] = formatDay(atMs, zone).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10);
}
