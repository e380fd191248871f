// When the hours of a schedule that hold at a moment are over, on the wall clock of a time zone.
import type { WeekSchedule, WeekWindow } from './api/weekWindows.ts';
import { isTimeZone, wallClockMs } from './timeZones.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;
const MINUTES_A_WEEK = 7 * MINUTES_A_DAY;
/** The first day of 1970 was a Thursday: minutes from the Monday before. */
const FIRST_MINUTE = 3 * MINUTES_A_DAY;
/** No zone changes its clock twice within this time. */
const HOP_MS = 120 * MINUTE_MS;
/** Windows that last longer have no end: a week, and a day for changes of the clock. */
const LONGEST_MS = 8 * MINUTES_A_DAY * MINUTE_MS;

/**
 * The first moment after which none of the windows holds any more; windows that touch are one. Undefined where none holds at the
 * moment, and where they cover the whole week: hours that never end would keep back for ever what waits for their end.
 * `timeZone` as in `isScheduled`.
 */
export function endOfWindow(schedule: WeekSchedule, timeZone: string, atMs: number): number | undefined {
  if (schedule.length === 0) return undefined;
  const zone = isTimeZone(timeZone) ? timeZone : '';
  let atEndMs = atMs;
  while (atEndMs - atMs <= LONGEST_MS) {
    const minutes = minutesLeft(schedule, weekMinute(atEndMs + offsetAt(atEndMs, zone)));
    if (minutes === 0) return atEndMs === atMs ? undefined : atEndMs;
    atEndMs = hop(zone, atEndMs, minutes * MINUTE_MS);
  }
  return undefined;
}

/** As far as the wall clock goes evenly, at most `lengthMs` after the begin of the minute; where it changes, to the next minute. */
function hop(zone: string, atMs: number, lengthMs: number): number {
  const minuteMs = atMs - (atMs % MINUTE_MS);
  const nextMs = minuteMs + Math.min(lengthMs, HOP_MS);
  return offsetAt(nextMs, zone) === offsetAt(atMs, zone) ? nextMs : minuteMs + MINUTE_MS;
}

/** Many members ask for the same minutes of a few zones, and asking the platform takes a hundred times as long. */
const offsets = new Map<string, number>();
const MAX_OFFSETS = 5_000;

/** How far the wall clock is ahead of UTC. */
function offsetAt(atMs: number, zone: string): number {
  const minuteMs = atMs - (atMs % MINUTE_MS);
  const key = `${minuteMs} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= MAX_OFFSETS) offsets.clear();
  const offset = wallClockMs(minuteMs, zone) - minuteMs;
  offsets.set(key, offset);
  return offset;
}

function weekMinute(wallMs: number): number {
  return modulo(Math.floor(wallMs / MINUTE_MS) + FIRST_MINUTE, MINUTES_A_WEEK);
}

/** How long a window holds without a break from this minute of the week on, by a clock that does not change; at most a week. */
function minutesLeft(schedule: WeekSchedule, minute: number): number {
  let left = 0;
  while (left < MINUTES_A_WEEK) {
    const at = (minute + left) % MINUTES_A_WEEK;
    const more = Math.max(...schedule.map((window) => minutesLeftIn(window, at)));
    if (more === 0) break;
    left += more;
  }
  return Math.min(left, MINUTES_A_WEEK);
}

function minutesLeftIn({ days, fromMinute, toMinute }: WeekWindow, minute: number): number {
  const length = toMinute > fromMinute ? toMinute - fromMinute : toMinute - fromMinute + MINUTES_A_DAY;
  const lefts = days.map((day) => {
    const begin = (day - 1) * MINUTES_A_DAY + fromMinute;
    return length - modulo(minute - begin, MINUTES_A_WEEK);
  });
  return Math.max(0, ...lefts);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
