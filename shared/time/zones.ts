// Time zones by their IANA names, as the browser knows them.
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone';
import utc from 'dayjs/plugin/utc';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The browser's own zone. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function isZone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // the way to ask is to try
  }
}

/** The zones to choose from, by name; UTC is among them, which browsers leave out of their list. */
export function zoneNames(): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort();
}

/** A member's zone where it is one, else the browser's. */
export function zoneOrBrowser(name: string | undefined): string {
  return name !== undefined && isZone(name) ? name : browserZone();
}

/** `UTC+08:00` at that moment: summer time changes it. */
export function zoneOffset(zone: string, atMs: number): string {
  return `UTC${dayjs(atMs).tz(zone).format('Z')}`;
}

/** `Asia/Taipei (UTC+08:00)`. */
export function zoneLabel(zone: string, atMs: number): string {
  return `${zone.replaceAll('_', ' ')} (${zoneOffset(zone, atMs)})`;
}
