// The time that a report is about. Pure.
import { startOfDay, wallClockMs } from '../timeZones.ts';
import type { ReportPeriod } from './reportWords.ts';

export interface ReportRange {
  readonly fromMs: number;
  /** Not part of it any more. */
  readonly toMs: number;
}

export interface GivenPeriod extends ReportRange {
  readonly period: ReportPeriod;
  /** IANA name. */
  readonly timeZone: string;
}

const DAY_MS = 86_400_000;
/** The first day of 1970 was a Thursday. */
const FIRST_WEEKDAY = 3;

/** Whole days of the zone; those of the present week or month reach into the future. */
export function reportRange({ period, fromMs, toMs, timeZone }: GivenPeriod, nowMs: number): ReportRange {
  const today = Math.floor(wallClockMs(nowMs, timeZone) / DAY_MS);
  const monday = today - ((today + FIRST_WEEKDAY) % 7);
  const month = new Date(today * DAY_MS);
  const first = (ahead: number): number => Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + ahead) / DAY_MS;
  const days = (from: number, to: number): ReportRange => ({
    fromMs: startOfDay(from, timeZone),
    toMs: startOfDay(to, timeZone),
  });
  switch (period) {
    case 'today':
      return days(today, today + 1);
    case 'yesterday':
      return days(today - 1, today);
    case 'this-week':
      return days(monday, monday + 7);
    case 'last-week':
      return days(monday - 7, monday);
    case 'this-month':
      return days(first(0), first(1));
    case 'last-month':
      return days(first(-1), first(0));
    case 'from-to':
      return { fromMs, toMs };
  }
}
