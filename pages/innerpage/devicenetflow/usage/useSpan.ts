// The time that the chart shows, from a choice of a few. Pure.
import dayjs from 'dayjs';
import type { NetflowStep } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { UseRange } from '../netflowAddress.ts';

export interface UseSpan {
  /** Half open. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: NetflowStep;
}

const MONTHS_OF_A_YEAR = 12;

/** In the reader's time zone; what lies ahead is part of it, so that bars don't move from one minute to the next. */
export function spanOfRange(range: UseRange, nowMs: number, zone: string): UseSpan {
  const now = dayjs(nowMs).tz(zone);
  const day = now.startOf('day');
  const month = now.startOf('month');
  switch (range) {
    case 'day':
      return { fromMs: day.valueOf(), toMs: day.add(1, 'day').valueOf(), step: 'hour' };
    case 'month':
      return { fromMs: month.valueOf(), toMs: month.add(1, 'month').valueOf(), step: 'day' };
    case 'last-month':
      return { fromMs: month.subtract(1, 'month').valueOf(), toMs: month.valueOf(), step: 'day' };
    case 'year':
      return {
        fromMs: month.subtract(MONTHS_OF_A_YEAR - 1, 'month').valueOf(),
        toMs: month.add(1, 'month').valueOf(),
        step: 'month',
      };
  }
}

/** Begin of each step of a span, the earliest first. */
export function stepsOfSpan({ fromMs, toMs, step }: UseSpan, zone: string): readonly number[] {
  const steps: number[] = [];
  for (let at = dayjs(fromMs).tz(zone); at.valueOf() < toMs; at = at.add(1, step)) steps.push(at.valueOf());
  return steps;
}

const STEP_PATTERNS: Readonly<Record<NetflowStep, string>> = { hour: 'HH:mm', day: 'MM-DD', month: 'YYYY-MM' };

export function stepText(atMs: number, step: NetflowStep, zone: string): string {
  return dayjs(atMs).tz(zone).format(STEP_PATTERNS[step]);
}
