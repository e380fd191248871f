import type { NewEvent } from '../../../../server/store/events/eventLog.ts';

const PLACE = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };

/** One of the gateway's own that has just begun. */
export function storedEvent(type: string, beginAtMs = 1_795_000_000_000): NewEvent {
  return {
    archiveNumber: 0,
    type,
    unit: 0,
    area: 0,
    severity: 'minor',
    source: 'system',
    beginAtMs,
    deviceTimeMs: beginAtMs,
    place: PLACE,
    driver: '',
    rule: 0,
    isLate: false,
    edition: '',
    origins: 1,
    endAtMs: 0,
    lastSeenAtMs: beginAtMs,
    endPlace: PLACE,
    count: 1,
    value: undefined,
    limit: undefined,
    alarmMark: '',
  };
}
