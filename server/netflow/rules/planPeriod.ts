// The period of a data plan: from one reset day to the next, in the plan's time zone. Pure.
import { startOfDay, wallClockMs } from '../../../shared/protocol/timeZones.ts';

export interface PlanPeriod {
  readonly fromMs: number;
  /** Start of the next period. */
  readonly toMs: number;
}

export interface PlanCalendar {
  /** Day of the month; in shorter months the last day. */
  readonly resetDay: number;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
}

const DAY_MS = 86_400_000;

export function periodAt({ resetDay, timeZone }: PlanCalendar, atMs: number): PlanPeriod {
  const date = new Date(wallClockMs(atMs, timeZone));
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const resetOf = (offset: number): number => startOfDay(resetDayIn(year, month + offset, resetDay), timeZone);
  const thisMonthMs = resetOf(0);
  return atMs >= thisMonthMs ? { fromMs: thisMonthMs, toMs: resetOf(1) } : { fromMs: resetOf(-1), toMs: thisMonthMs };
}

/** Day since 1970. */
function resetDayIn(year: number, month: number, resetDay: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(resetDay, lastDay)) / DAY_MS;
}
