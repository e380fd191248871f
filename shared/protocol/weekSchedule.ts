// Whether a moment lies in the hours of a schedule, on the wall clock of a time zone.
import type { WeekSchedule } from './api/weekWindows.ts';

/** `timeZone`: IANA name; '' for the zone of this system. A schedule without windows is for any time. */
export function isScheduled(schedule: WeekSchedule, timeZone: string, atMs: number): boolean {
  if (schedule.length === 0) return true;
  const { day, minute } = localTime(timeZone, atMs);
  const dayBefore = day === 1 ? 7 : day - 1;
  return schedule.some(({ days, fromMinute, toMinute }) => {
    if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute;
    // Past midnight it is still the window of the day before.
    return (days.includes(day) && minute >= fromMinute) || (days.includes(dayBefore) && minute < toMinute);
  });
}

interface LocalTime {
  /** Day of the week, 1 Monday to 7 Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formats = new Map<string, Intl.DateTimeFormat>();
const MINUTE_MS = 60_000;
/** Many rules ask for the same minute of a few zones, and asking the platform takes a hundred times as long. */
const localTimes = new Map<string, LocalTime>();
const MAX_LOCAL_TIMES = 1_000;

function localTime(timeZone: string, atMs: number): LocalTime {
  const key = `${Math.floor(atMs / MINUTE_MS)} ${timeZone}`;
  const known = localTimes.get(key);
  if (known !== undefined) return known;
  if (localTimes.size >= MAX_LOCAL_TIMES) localTimes.clear();
  const local = localTimeBySystem(timeZone, atMs);
  localTimes.set(key, local);
  return local;
}

function localTimeBySystem(timeZone: string, atMs: number): LocalTime {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  return { day: WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1, minute };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = createFormat(timeZone === '' ? undefined : timeZone);
  formats.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const fields = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone });
  } catch {
    // A zone that this system does not know must not end the recording or the rules of other devices.
    return new Intl.DateTimeFormat('en-US', fields);
  }
}
