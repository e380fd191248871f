import { NOWHERE, type TrackedEvent } from '../../server/events/engine/trackedEvent.ts';

const BEGIN_MS = 1_795_000_000_000;

/** One that lasts, as the engine holds it. */
export function newTrackedEvent(change: Partial<TrackedEvent> = {}): TrackedEvent {
  return {
    id: undefined,
    device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 },
    type: 'speeding',
    unit: 0,
    area: 0,
    severity: 'major',
    source: 'terminal',
    beginAtMs: BEGIN_MS,
    deviceTimeMs: BEGIN_MS,
    place: NOWHERE,
    driver: '',
    rule: 0,
    isLate: false,
    edition: '2019',
    localDay: 20_261_123,
    alarmMark: '',
    origins: 1,
    endAtMs: 0,
    lastSeenAtMs: BEGIN_MS,
    endPlace: NOWHERE,
    count: 1,
    value: undefined,
    limit: undefined,
    countedMs: 0,
    writtenSeenMs: BEGIN_MS,
    isAnswered: false,
    ...change,
  };
}
