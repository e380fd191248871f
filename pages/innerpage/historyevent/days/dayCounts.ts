// Events by day: which days are asked for, and a count for each, also where nothing was. Pure.
import { EVENT_DAYS_MAX, type EventDays } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { endOfDay, formatDay } from '../../../../shared/time/format.ts';
import { dayBefore, type TimeSpan } from '../filter/period.ts';

export type SeverityCounts = EventDays[number]['counts'];

export interface DayCount {
  /** yyyy-MM-dd in the user's zone. */
  readonly day: string;
  readonly counts: SeverityCounts;
}

/** The calls take no span without ends, and none that is longer. */
export interface CountedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** Days before it belong to the span too. */
  readonly isCut: boolean;
}

const DAY_MS = 24 * 60 * 60_000;
/** A day less than the call takes: one of them may have 25 hours. */
const MAX_SPAN_MS = (EVENT_DAYS_MAX - 1) * DAY_MS;

export function countedSpan({ fromMs, toMs }: TimeSpan, zone: string, nowMs: number): CountedSpan {
  const end = toMs ?? endOfDay(formatDay(nowMs, zone), zone) ?? nowMs;
  const earliest = end - MAX_SPAN_MS;
  const isCut = fromMs === undefined || fromMs < earliest;
  return { fromMs: isCut ? earliest : fromMs, toMs: end, isCut };
}

const NONE: SeverityCounts = { critical: 0, major: 0, minor: 0, info: 0 };

/** A count for each day of the span, the earliest first. */
export function dayCounts(days: EventDays, { fromMs, toMs }: CountedSpan, zone: string): readonly DayCount[] {
  const counted = new Map(days.map(({ fromMs: at, counts }) => [formatDay(at, zone), counts]));
  const all: DayCount[] = [];
  const first = formatDay(fromMs, zone);
  for (let daysAgo = 0; daysAgo <= EVENT_DAYS_MAX; daysAgo++) {
    // Half-open: the last day is that of the moment before the end.
    const day = dayBefore(toMs - 1, daysAgo, zone);
    if (day < first) break;
    all.push({ day, counts: counted.get(day) ?? NONE });
  }
  return all.reverse();
}

export function totalOf(counts: SeverityCounts): number {
  return SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
}

export function sumOf(days: readonly DayCount[]): number {
  return days.reduce((sum, { counts }) => sum + totalOf(counts), 0);
}
