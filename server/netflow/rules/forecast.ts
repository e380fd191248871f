// Forecasts a device's usage at the end of its plan's period, if it continues as on the days before. Pure.
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';

/** Bytes of one day; `day` counts from 1970 by local time. */
export interface DayUse {
  readonly day: number;
  readonly bytes: number;
}

export interface ForecastInput {
  /** First and last day of the period, and today, counted in the same way. */
  readonly firstDay: number;
  readonly lastDay: number;
  readonly today: number;
  /** Bytes of the period so far. */
  readonly usedBytes: number;
  /** Today and days before, in any order; a missing day between two counted ones was without use. */
  readonly days: readonly DayUse[];
}

const DAY_MS = 86_400_000;
/** With fewer whole days, the days before the period count too. */
const ENOUGH_DAYS = 7;
/** Days of one weekday that are enough for its average; with fewer, the average of all days is mixed in. */
const ENOUGH_OF_WEEKDAY = 2;
/** Days that the forecast looks back. */
export const FORECAST_DAYS = 35;

export function dayOf(atMs: number, timeZone: string): number {
  return Math.floor(wallClockMs(atMs, timeZone) / DAY_MS);
}

/** Null until a whole day was counted. */
export function forecastOf({ firstDay, lastDay, today, usedBytes, days }: ForecastInput): number | null {
  const whole = wholeDays(days, today);
  if (whole.length === 0) return null;
  const ofPeriod = whole.filter(({ day }) => day >= firstDay);
  const usualOf = usualDay(ofPeriod.length >= ENOUGH_DAYS ? ofPeriod : whole);
  const todayBytes = days.find(({ day }) => day === today)?.bytes ?? 0;
  // Use beyond the usual today is no reason to expect less on the days that follow.
  let toCome = Math.max(0, usualOf(today) - todayBytes);
  for (let day = today + 1; day <= lastDay; day++) toCome += usualOf(day);
  // Rounded before the addition: rounding errors of the fractions must not depend on the bytes already used.
  return usedBytes + Math.round(toCome);
}

/**
 * The days before today, after the first counted one: a device that is first seen at ten to midnight has not shown the use of a
 * day. Where earlier days were dropped, the first remaining one is whole.
 */
function wholeDays(days: readonly DayUse[], today: number): DayUse[] {
  const counted = days.filter(({ day }) => day < today && day >= today - FORECAST_DAYS);
  if (counted.length === 0) return [];
  const bytesOf = new Map(counted.map(({ day, bytes }) => [day, bytes]));
  const oldest = Math.min(...bytesOf.keys());
  const first = oldest > today - FORECAST_DAYS ? oldest + 1 : oldest;
  return Array.from({ length: today - first }, (_, at) => ({ day: first + at, bytes: bytesOf.get(first + at) ?? 0 }));
}

/** Average by weekday, as far as there are enough days of it. */
function usualDay(days: readonly DayUse[]): (day: number) => number {
  const all = meanOf(days);
  const byWeekday = Array.from({ length: 7 }, (_, weekday) => days.filter(({ day }) => day % 7 === weekday));
  const usual = byWeekday.map((each) => {
    const weight = Math.min(1, each.length / ENOUGH_OF_WEEKDAY);
    return weight * meanOf(each) + (1 - weight) * all;
  });
  return (day) => usual[day % 7] ?? all;
}

function meanOf(days: readonly DayUse[]): number {
  return days.length === 0 ? 0 : days.reduce((sum, { bytes }) => sum + bytes, 0) / days.length;
}
