// Whether a channel is to be recorded now, and how long what it recorded is kept. Pure.
import type { EvidenceHold } from '../store/recordings/evidenceHolds.ts';
import type { PolicyScope, RecordingPolicy, RecordingWindow } from '../store/recordings/recordingPolicies.ts';

export interface RecordingFacts {
  /** Undefined when the device has not said yet. */
  readonly ignitionOn: boolean | undefined;
  /** IANA name; '' for the gateway's own zone. */
  readonly timeZone: string;
}

/** Ignition that is not known counts as off: a parked vehicle must not be woken for its camera. */
export function wantsRecording(policy: RecordingPolicy, facts: RecordingFacts, nowMs: number): boolean {
  switch (policy.mode) {
    case 'off':
      return false;
    case 'always':
      return isScheduled(policy.schedule, facts.timeZone, nowMs);
    case 'ignition':
      return facts.ignitionOn === true && isScheduled(policy.schedule, facts.timeZone, nowMs);
  }
}

/** The nearest policy: the channel's own, the device's, the one for all. */
export function policyFor<P extends PolicyScope>(
  policies: readonly P[],
  deviceId: string,
  channel: number,
): P | undefined {
  const of = (id: string, number: number): P | undefined =>
    policies.find((policy) => policy.deviceId === id && policy.channel === number);
  return of(deviceId, channel) ?? of(deviceId, 0) ?? of('', 0);
}

function isScheduled(schedule: readonly RecordingWindow[], timeZone: string, nowMs: number): boolean {
  if (schedule.length === 0) return true;
  const { day, minute } = localTime(timeZone, nowMs);
  const dayBefore = day === 1 ? 7 : day - 1;
  return schedule.some(({ days, fromMinute, toMinute }) => {
    if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute;
    // Past midnight it is still the window of the day before.
    return (days.includes(day) && minute >= fromMinute) || (days.includes(dayBefore) && minute < toMinute);
  });
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formats = new Map<string, Intl.DateTimeFormat>();

/** Day of the week, 1 Monday to 7 Sunday, and minutes since midnight, on the wall clock of a time zone. */
function localTime(timeZone: string, atMs: number): { readonly day: number; readonly minute: number } {
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
    // A zone that this system does not know must not end the recording of the others.
    return new Intl.DateTimeFormat('en-US', fields);
  }
}

interface HeldTime {
  readonly archiveId: string;
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Whether evidence keeps it, whatever its age and however full the disk is. */
export function isHeld(segment: HeldTime, holds: readonly EvidenceHold[]): boolean {
  return holds.some(
    (hold) =>
      hold.archiveId === segment.archiveId &&
      (hold.channel === 0 || hold.channel === segment.channel) &&
      hold.releasedAtMs === 0 &&
      hold.fromMs < segment.endMs &&
      hold.toMs > segment.startMs,
  );
}
