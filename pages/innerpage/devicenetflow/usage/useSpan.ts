// The time that the chart shows, from a choice of a few. Pure.
import dayjs from 'dayjs';
import type { NetflowStep } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { DAY_PATTERN, formatClock, formatDay, startOfDay } from '../../../../shared/time/format.ts';
import { hoursOfDay } from '../../../../shared/time/hoursOfDay.ts';
import type { UseRange } from '../netflowAddress.ts';

export interface UseSpan {
  /** Half open. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: NetflowStep;
}

const MONTHS_OF_A_YEAR = 12;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The span in the reader's time zone; it includes the future, so that bars don't move from one minute to the next. */
export function spanOfRange(range: UseRange, nowMs: number, zone: string): UseSpan {
  const today = formatDay(nowMs, zone);
  const month = `${today.slice(0, -2)}01`;
  const fromMonths = (first: number, end: number, step: NetflowStep): UseSpan => ({
    fromMs: beginOf(after(month, first, 'month'), zone),
    toMs: beginOf(after(month, end, 'month'), zone),
    step,
  });
  switch (range) {
    case 'day':
      return spanOfDay(today, zone);
    case 'month':
      return fromMonths(0, 1, 'day');
    case 'last-month':
      return fromMonths(-1, 0, 'day');
    case 'year':
      return fromMonths(1 - MONTHS_OF_A_YEAR, 1, 'month');
  }
}

/** `day`: yyyy-MM-dd. */
export function spanOfDay(day: string, zone: string): UseSpan {
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  return { ...hoursOfDay(Number.isNaN(dayMs) ? 0 : dayMs / DAY_MS, zone), step: 'hour' };
}

/** Begin of each step of a span, the earliest first. */
export function stepsOfSpan({ fromMs, toMs, step }: UseSpan, zone: string): readonly number[] {
  if (step === 'hour')
    return Array.from({ length: Math.ceil((toMs - fromMs) / HOUR_MS) }, (_, at) => fromMs + at * HOUR_MS);
  const first = formatDay(fromMs, zone);
  const steps: number[] = [];
  for (let at = fromMs; at < toMs; at = beginOf(after(first, steps.length, step), zone)) steps.push(at);
  return steps;
}

/** `08:00`, `03-29` or `2026-03`. Two hours of a day may have the same: a step is known by its moment alone. */
export function stepText(atMs: number, step: NetflowStep, zone: string): string {
  switch (step) {
    case 'hour':
      return formatClock(atMs, zone).slice(0, 5);
    case 'day':
      return formatDay(atMs, zone).slice(5);
    case 'month':
      return formatDay(atMs, zone).slice(0, 7);
  }
}

/** Computed in the calendar, which knows no zones. */
function after(day: string, count: number, step: 'day' | 'month'): string {
  return dayjs(day, DAY_PATTERN).add(count, step).format(DAY_PATTERN);
}

function beginOf(day: string, zone: string): number {
  return startOfDay(day, zone) ?? 0;
}
