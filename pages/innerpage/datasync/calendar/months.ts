// Months and their days as a calendar lists them. Pure.
import dayjs from 'dayjs';
import { DAY_PATTERN } from '../../../../shared/time/format.ts';

/** `YYYY-MM` of a `YYYY-MM-DD`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function monthAfter(month: string, count: number): string {
  return dayjs(`${month}-01`, DAY_PATTERN).add(count, 'month').format('YYYY-MM');
}

/** `YYYY-MM-DD` of each. */
export function daysOf(month: string): readonly string[] {
  const count = dayjs(`${month}-01`, DAY_PATTERN).daysInMonth();
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
}
