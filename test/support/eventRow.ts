import type { EventRow } from '../../shared/protocol/api/events.ts';
import { wallMs } from '../../shared/protocol/time.ts';

export const EVENT_BEGIN_MS = Date.UTC(2026, 10, 23, 8, 30);

/** An event of a bus that is speeding, new and lasting; a field that is named is as it is said. */
export function eventRow(fields: Partial<EventRow> & { readonly id: number }): EventRow {
  return {
    version: 1,
    type: 'speeding',
    severity: 'major',
    status: 'new',
    source: 'terminal',
    deviceid: 'BUS1',
    deviceName: 'Lake line 1',
    plate: 'KAA-0001',
    group: 1,
    groupName: 'North',
    unit: 0,
    area: 0,
    areaName: '',
    beginAtMs: wallMs(EVENT_BEGIN_MS),
    endAtMs: wallMs(0),
    deviceTimeMs: wallMs(EVENT_BEGIN_MS),
    lastSeenAtMs: wallMs(EVENT_BEGIN_MS),
    count: 1,
    value: 86,
    limit: 80,
    lat: 25.03,
    lng: 121.56,
    speedKmh: 86,
    heading: 90,
    driver: '',
    late: false,
    assignee: '',
    reason: '',
    media: 0,
    acknowledgedAtMs: wallMs(0),
    closedAtMs: wallMs(0),
    ...fields,
  };
}
