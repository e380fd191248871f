// Moments as text: the same form in every language, in the zone that the reader has chosen.
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { wallClockMs } from '../protocol/timeZones.ts';
import { zoneOffset } from './zones.ts';

dayjs.extend(customParseFormat);

/** For the date pickers and everything else that takes a pattern. */
export const DAY_PATTERN = 'YYYY-MM-DD';
export const MOMENT_PATTERN = 'YYYY-MM-DD HH:mm:ss';
const MINUTE_PATTERN = 'YYYY-MM-DD HH:mm';

/** yyyy-MM-dd HH:mm:ss in the zone. */
export function formatTimestamp(atMs: number, zone: string): string {
  const text = isoText(atMs, zone);
  return text === undefined ? INVALID : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** yyyy-MM-dd HH:mm:ss and the zone's distance from UTC at that moment: for what leaves the page that names the zone. */
export function formatTimestampWithZone(atMs: number, zone: string): string {
  return `${formatTimestamp(atMs, zone)} ${zoneOffset(zone, atMs)}`;
}

/** yyyy-MM-dd in the zone. */
export function formatDay(atMs: number, zone: string): string {
  return isoText(atMs, zone)?.slice(0, 10) ?? INVALID;
}

/** HH:mm:ss in the zone. */
export function formatClock(atMs: number, zone: string): string {
  return isoText(atMs, zone)?.slice(11, 19) ?? INVALID;
}

/** The text that Day.js gives for an invalid date. */
const INVALID = 'Invalid Date';

/** Does without Day.js, which makes a formatter for each moment: that takes longer than all else in a row of a list. */
function isoText(atMs: number, zone: string): string | undefined {
  return Number.isNaN(new Date(atMs).getTime()) ? undefined : new Date(wallClockMs(atMs, zone)).toISOString();
}

/** The first millisecond of a yyyy-MM-dd day in the zone; undefined for what is no day. */
export function startOfDay(day: string, zone: string): number | undefined {
  if (!dayjs(day, DAY_PATTERN, true).isValid()) return undefined;
  return dayjs.tz(day, DAY_PATTERN, zone).valueOf();
}

/** The moment of a yyyy-MM-dd day and an HH:mm time in the zone; undefined for what is none. */
export function momentOfTime(day: string, time: string, zone: string): number | undefined {
  const text = `${day} ${time}`;
  if (!dayjs(text, MINUTE_PATTERN, true).isValid()) return undefined;
  return dayjs.tz(text, MINUTE_PATTERN, zone).valueOf();
}

/** The first millisecond of the day after: half-open ranges end with it. */
export function endOfDay(day: string, zone: string): number | undefined {
  const start = startOfDay(day, zone);
  if (start === undefined) return undefined;
  // Not 24 hours later: two days of the year are shorter and longer.
  return startOfDay(dayjs(day, DAY_PATTERN, true).add(1, 'day').format(DAY_PATTERN), zone);
}
