import type { NewEvent } from '../../server/store/events/eventLog.ts';

const NOWHERE = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };

/** One that a terminal reported a second long, of a device by its archive number. */
export function newEvent(archiveNumber: number, change: Partial<NewEvent> = {}): NewEvent {
  const beginAtMs = change.beginAtMs ?? 1_795_000_000_000;
  return {
    archiveNumber,
    type: 'speeding',
    unit: 0,
    area: 0,
    severity: 'major',
    source: 'terminal',
    beginAtMs,
    deviceTimeMs: beginAtMs,
    place: NOWHERE,
    driver: '',
    rule: 0,
    isLate: false,
    edition: '2019',
    origins: 0,
    endAtMs: beginAtMs + 1_000,
    lastSeenAtMs: beginAtMs + 1_000,
    endPlace: NOWHERE,
    count: 1,
    value: undefined,
    limit: undefined,
    alarmMark: '',
    ...change,
  };
}
