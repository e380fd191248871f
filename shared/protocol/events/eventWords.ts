// The words that classify events. The order of severities and statuses is that of their numbers in the database.

/** Most severe first. */
export const SEVERITIES = ['critical', 'major', 'minor', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** At this severity and above, a device is in alarm, and recordings of the event are held. */
export function isMajorOrHigher(severity: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf('major');
}

export const EVENT_STATUSES = ['new', 'acknowledged', 'in-progress', 'closed', 'false-alarm'] as const;
/** Closed and false alarm are the two ends; reopening leads back to `in-progress`. */
export type EventStatus = (typeof EVENT_STATUSES)[number];

export const EVENT_CATEGORIES = ['safety', 'adas', 'driver', 'tires', 'video', 'device', 'fence', 'system'] as const;
export type EventCategory = (typeof EVENT_CATEGORIES)[number];

/** What found the event: the terminal itself, a rule of the gateway, or the gateway about itself. */
export const EVENT_SOURCES = ['terminal', 'rule', 'system'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** What an event's unit number counts, from 1; 0 stands for the device as a whole. */
export const EVENT_UNITS = ['none', 'channel', 'storage', 'tire'] as const;
export type EventUnit = (typeof EVENT_UNITS)[number];

/** What a member can do to an event. */
export const EVENT_ACTS = ['acknowledge', 'assign', 'note', 'close', 'reopen'] as const;
export type EventAct = (typeof EVENT_ACTS)[number];

export const EVENT_NOTE_MAX = 2_000;
/** Events that one act may name. */
export const EVENTS_AT_ONCE = 500;

export function isAnswered(status: EventStatus): boolean {
  return status === 'closed' || status === 'false-alarm';
}

/** A still picture taken for the event, a file that the terminal has of it, or the recordings around it. */
export const EVENT_MEDIA_KINDS = ['snapshot', 'attachment', 'clip'] as const;
export type EventMediaKind = (typeof EVENT_MEDIA_KINDS)[number];

/** `incomplete`: a file of which the terminal has sent a part, or a picture without its end. `removed`: it had to make room. */
export const EVENT_MEDIA_STATES = ['requested', 'receiving', 'stored', 'incomplete', 'failed', 'removed'] as const;
export type EventMediaState = (typeof EVENT_MEDIA_STATES)[number];

/** States in which there is a file. */
export const EVENT_MEDIA_FILE_STATES = ['stored', 'incomplete'] as const satisfies readonly EventMediaState[];

export function hasMediaFile(state: EventMediaState): boolean {
  return EVENT_MEDIA_FILE_STATES.some((each) => each === state);
}
