// The date-time of a playback link. A date and time without a zone, and a date alone, are in the zone of who opens it.
import { type WallSeconds, wallSeconds } from './time.ts';

const DIGITS = /^\d+$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** ISO 8601, extended form, with a `T` or a space: time to the hour, minute, second or its fraction, with or without zone. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const LAST_SECOND = wallSeconds(Date.UTC(9999, 11, 31, 23, 59, 59) / 1000);

/** Undefined for what is no date, and for the epoch itself, which stands for none. Fractions of a second are dropped. */
export function parsePlaybackTime(text: string): WallSeconds | undefined {
  const seconds = DIGITS.test(text) ? Number(text) : secondsOf(text);
  return seconds !== undefined && seconds > 0 && seconds <= LAST_SECOND ? wallSeconds(seconds) : undefined;
}

interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function secondsOf(text: string): number | undefined {
  if (DATE.test(text)) return moment(text, { hour: 0, minute: 0, second: 0 }, undefined);
  const [, date, hour, minute = '0', second = '0', zone] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || hour === undefined) return undefined;
  return moment(date, { hour: Number(hour), minute: Number(minute), second: Number(second) }, zone);
}

function moment(date: string, { hour, minute, second }: ClockTime, zone: string | undefined): number | undefined {
  const [, year = 0, month = 0, day = 0] = (DATE.exec(date) ?? []).map(Number);
  const isEndOfDay = hour === 24 && minute === 0 && second === 0;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59) return undefined;
  // Years below 100 would be taken for those of the twentieth century.
  if (year < 100) return undefined;
  const offsetMinutes = zone === undefined ? undefined : offsetOf(zone);
  if (zone !== undefined && offsetMinutes === undefined) return undefined;
  if (offsetMinutes === undefined) return new Date(year, month - 1, day, hour, minute, second).getTime() / 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - offsetMinutes * 60;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Minutes east of Greenwich. */
function offsetOf(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
