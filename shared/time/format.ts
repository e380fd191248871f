// Moments as text: the same form in every language, in the zone that the reader has chosen.
import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { zoneOffset } from './zones.ts';

dayjs.extend(customParseFormat);

/** For the date pickers and everything else that takes a pattern. */
export const DAY_PATTERN = 'YYYY-MM-DD';
export const MOMENT_PATTERN = 'YYYY-MM-DD HH:mm:ss';

/** yyyy-MM-dd HH:mm:ss in the zone. */
export function formatTimestamp(atMs: number, zone: string): string {
  return textOf(
    atMs,
    zone,
    ({ year, month, day, hour, minute, second }) => `${year}-${month}-${day} ${hour}:${minute}:${second}`,
  );
}

/** yyyy-MM-dd HH:mm:ss and the zone's distance from UTC at that moment: for what leaves the page that names the zone. */
export function formatTimestampWithZone(atMs: number, zone: string): string {
  return `${formatTimestamp(atMs, zone)} ${zoneOffset(zone, atMs)}`;
}

/** yyyy-MM-dd in the zone. */
export function formatDay(atMs: number, zone: string): string {
  return textOf(atMs, zone, ({ year, month, day }) => `${year}-${month}-${day}`);
}

/** HH:mm:ss in the zone. */
export function formatClock(atMs: number, zone: string): string {
  return textOf(atMs, zone, ({ hour, minute, second }) => `${hour}:${minute}:${second}`);
}

type MomentParts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

/** By zone. To make one takes longer than all else in a row of a list, which is why this is not left to Day.js. */
const formats = new Map<string, Intl.DateTimeFormat>();

function textOf(atMs: number, zone: string, text: (parts: MomentParts) => string): string {
  if (Number.isNaN(new Date(atMs).getTime())) return 'Invalid Date';
  const known = formats.get(zone);
  const format = known ?? new Intl.DateTimeFormat('en-US', { ...PARTS, timeZone: zone });
  if (known === undefined) formats.set(zone, format);
  return text(Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value])));
}

const PARTS = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

/** The first millisecond of a yyyy-MM-dd day in the zone; undefined for what is no day. */
export function startOfDay(day: string, zone: string): number | undefined {
  if (!dayjs(day, DAY_PATTERN, true).isValid()) return undefined;
  return dayjs.tz(day, DAY_PATTERN, zone).valueOf();
}

/** The first millisecond of the day after: half-open ranges end with it. */
export function endOfDay(day: string, zone: string): number | undefined {
  const start = startOfDay(day, zone);
  if (start === undefined) return undefined;
  // Not 24 hours later: two days of the year are shorter and longer.
  return startOfDay(dayjs(day, DAY_PATTERN, true).add(1, 'day').format(DAY_PATTERN), zone);
}
