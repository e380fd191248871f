// From a period to its moments in the user's zone. Pure.
import { MAX_TRACK_SPAN_MS } from '../../../../shared/protocol/api/tracks/track.ts';
import { endOfDay, formatClock, formatDay, momentOfTime, startOfDay } from '../../../../shared/time/format.ts';
import type { TimeRange } from '../clock/ranges.ts';

export const PERIODS = ['today', 'yesterday', 'week', 'lastweek', 'range'] as const;
export type Period = (typeof PERIODS)[number];

export interface ChosenPeriod {
  readonly period: Period;
  /** Ends of a range; equal where none was chosen yet. */
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
const DAYS_A_WEEK = 7;

/** A period in progress ends with the present minute, so that no request concerns the future. */
export function spanOf({ period, fromMs, toMs }: ChosenPeriod, zone: string, nowMs: number): TimeRange {
  const startOf = (daysAgo: number) => startOfDay(dayBefore(nowMs, daysAgo, zone), zone) ?? nowMs;
  const presentMs = Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS;
  const weekday = daysSinceMonday(nowMs, zone);
  switch (period) {
    case 'today':
      return { fromMs: startOf(0), toMs: presentMs };
    case 'yesterday':
      return { fromMs: startOf(1), toMs: startOf(0) };
    case 'week':
      return { fromMs: startOf(weekday), toMs: presentMs };
    case 'lastweek':
      return { fromMs: startOf(weekday + DAYS_A_WEEK), toMs: startOf(weekday) };
    case 'range':
      return { fromMs, toMs: Math.min(toMs, fromMs + MAX_TRACK_SPAN_MS) };
  }
}

/** Whether more was chosen than is shown. */
export function isTooLong({ period, fromMs, toMs }: ChosenPeriod): boolean {
  return period === 'range' && toMs - fromMs > MAX_TRACK_SPAN_MS;
}

/** A range as it is typed: days as yyyy-MM-dd, times as HH:mm; '' for the beginning of the first day and the end of the last. */
export interface TypedRange {
  readonly fromDay: string;
  readonly fromTime: string;
  readonly toDay: string;
  readonly toTime: string;
}

export function typedRange({ fromMs, toMs }: TimeRange, zone: string): TypedRange {
  const fromDay = formatDay(fromMs, zone);
  const toDay = formatDay(toMs - 1, zone);
  const fromTime = fromMs === startOfDay(fromDay, zone) ? '' : minuteText(fromMs, zone);
  const toTime = toMs === endOfDay(toDay, zone) ? '' : minuteText(toMs, zone);
  return { fromDay, fromTime, toDay, toTime };
}

function minuteText(atMs: number, zone: string): string {
  return formatClock(atMs, zone).slice(0, 5);
}

/** Undefined while a day or time is not valid, or while they are in the wrong order. */
export function rangeOf({ fromDay, fromTime, toDay, toTime }: TypedRange, zone: string): TimeRange | undefined {
  const fromMs = fromTime === '' ? startOfDay(fromDay, zone) : momentOfTime(fromDay, fromTime, zone);
  const toMs = toTime === '' ? endOfDay(toDay, zone) : momentOfTime(toDay, toTime, zone);
  return fromMs === undefined || toMs === undefined || fromMs >= toMs ? undefined : { fromMs, toMs };
}

/** yyyy-MM-dd of the day this many days before a moment's day, by the calendar: days of 23 and 25 hours are days. */
function dayBefore(atMs: number, days: number, zone: string): string {
  const [year = 0, month = 1, day = 1] = formatDay(atMs, zone).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10);
}

function daysSinceMonday(atMs: number, zone: string): number {
  return (new Date(`${formatDay(atMs, zone)}T00:00:00Z`).getUTCDay() + 6) % DAYS_A_WEEK;
}
