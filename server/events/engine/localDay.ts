import { dayNumber, isTimeZone } from '../../../shared/protocol/timeZones.ts';

/** The day of a time as a number, such as 20261123, in a zone by its IANA name; '' or an unknown one: the gateway's own. */
export function localDay(atMs: number, timeZone: string): number {
  return dayNumber(atMs, isTimeZone(timeZone) ? timeZone : '');
}
