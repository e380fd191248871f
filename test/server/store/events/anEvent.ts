import type { NewEvent } from '../../../../server/store/events/eventLog.ts';

const BEGIN_MS = 1_795_000_000_000;
const NOWHERE = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };

/** A late event with something in every field. */
const EVENT: NewEvent = {
  archiveNumber: 4,
  type: 'speeding',
  unit: 0,
  area: 4_294_967_295,
  severity: 'major',
  source: 'terminal',
  beginAtMs: BEGIN_MS,
  deviceTimeMs: BEGIN_MS - 3_000,
  place: { latitude: 25.034, longitude: 121.565, speedKmh: 92.5, headingDeg: 270 },
  driver: '陳大文',
  rule: 3,
  isLate: true,
  edition: '2019',
  origins: 5,
  endAtMs: 0,
  lastSeenAtMs: BEGIN_MS + 1,
  endPlace: NOWHERE,
  count: 1,
  value: 92.5,
  limit: undefined,
  alarmMark: '00ff',
};

export function anEvent(change: Partial<NewEvent> = {}): NewEvent {
  return { ...EVENT, ...change };
}
