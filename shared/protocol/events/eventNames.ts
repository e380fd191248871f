// What the words of events are called: English, and the keys of their translations (EventWords.json).
import type { EventCategory, EventSource, EventStatus, Severity } from './eventWords.ts';

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  major: 'Major',
  minor: 'Minor',
  info: 'Info',
};

export const STATUS_NAMES: Readonly<Record<EventStatus, string>> = {
  new: 'New',
  acknowledged: 'Acknowledged',
  'in-progress': 'In progress',
  closed: 'Closed',
  'false-alarm': 'False alarm',
};

export const CATEGORY_NAMES: Readonly<Record<EventCategory, string>> = {
  safety: 'Safety',
  adas: 'ADAS',
  driver: 'Driver',
  tires: 'Tires',
  video: 'Video',
  device: 'Device',
  fence: 'Geofence',
  system: 'System',
};

export const SOURCE_NAMES: Readonly<Record<EventSource, string>> = {
  terminal: 'Terminal',
  rule: 'Rule',
  system: 'Server',
};

export const EVENT_WORDS: readonly string[] = [SEVERITY_NAMES, STATUS_NAMES, CATEGORY_NAMES, SOURCE_NAMES].flatMap(
  (names) => Object.values(names),
);
