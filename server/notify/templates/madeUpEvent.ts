import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

/** Event for the preview of a template on an installation without events so far. It began a minute before. */
export function madeUpEvent(nowMs: number): EventRow {
  const beginAtMs = wallMs(nowMs - 60_000);
  return {
    id: 48_213,
    version: 1,
    type: 'speeding',
    severity: 'critical',
    status: 'new',
    source: 'rule',
    deviceid: 'BUS-012',
    deviceName: 'Bus 12',
    plate: 'ABC-1234',
    group: 1,
    groupName: 'North depot',
    unit: 0,
    area: 0,
    areaName: '',
    beginAtMs,
    endAtMs: wallMs(0),
    deviceTimeMs: beginAtMs,
    lastSeenAtMs: beginAtMs,
    count: 1,
    value: 92,
    limit: 80,
    lat: 24.123_456,
    lng: 121.123_456,
    speedKmh: 92,
    heading: 90,
    driver: 'Chen Ming',
    late: false,
    assignee: '',
    reason: '',
    media: 0,
    acknowledgedAtMs: wallMs(0),
    closedAtMs: wallMs(0),
  };
}
