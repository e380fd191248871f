// The hours of data usage that a day touches. Pure, and without the library of dates: the player asks for them too.
import { startOfDay } from '../protocol/timeZones.ts';

const HOUR_MS = 3_600_000;

export interface HourSpan {
  /** Half open. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * `day`: since 1970 on the wall. Hours are counted as the gateway's clock has them: where a zone is half an hour off, the first begins
 * before the day. A day has 23 or 25 of them where the clocks change.
 */
export function hoursOfDay(day: number, timeZone: string): HourSpan {
  const fromMs = startOfDay(day, timeZone);
  return { fromMs: fromMs - (fromMs % HOUR_MS), toMs: startOfDay(day + 1, timeZone) };
}
