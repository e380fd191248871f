// The event of a package, as `event.json` says it. Pure.
import { EVENT_SOURCES, EVENT_STATUSES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { knownValue } from '../../../../shared/protocol/positions/knownValues.ts';
import type { EventEvidence } from '../../../store/events/eventEvidence.ts';
import { toEventMedia } from '../eventMediaRoutes.ts';
import type { PackagedClip } from './packagedClip.ts';

export interface PackagedParts {
  readonly video: readonly PackagedClip[];
  readonly missing: readonly object[];
}

export function eventRecord(evidence: EventEvidence, { video, missing }: PackagedParts) {
  const { event, device, assignee, media, steps } = evidence;
  return {
    id: event.id,
    type: event.type,
    severity: SEVERITIES[event.severity],
    status: EVENT_STATUSES[event.status],
    assignee,
    source: EVENT_SOURCES[event.source],
    rule: event.rule,
    device: { deviceid: device.deviceId, name: device.name, plate: device.plate },
    unit: event.unit,
    area: event.area,
    ...progressOf(evidence),
    driver: event.driver,
    late: event.late === 1,
    alarmMark: event.alarm_mark,
    reason: event.reason,
    steps: steps.map((step) => ({
      at: time(step.at_ms),
      user: step.user_name,
      act: step.act,
      from: EVENT_STATUSES[step.from_status],
      to: EVENT_STATUSES[step.to_status],
      assignee: step.assignee_name,
      reason: step.reason,
      note: step.note,
    })),
    media: media.map(toEventMedia),
    video,
    missing,
  };
}

/** When it was, where, and how much. */
function progressOf({ event }: EventEvidence) {
  const end = placeOf(event.end_latitude, event.end_longitude);
  return {
    begin: time(event.begin_at_ms),
    end: time(event.end_at_ms),
    lastSeen: time(event.last_seen_at_ms),
    deviceTime: time(event.device_time_ms),
    acknowledged: time(event.acknowledged_at_ms),
    closed: time(event.closed_at_ms),
    count: event.count,
    value: event.value,
    limit: event.limit_value,
    ...placeOf(event.latitude, event.longitude),
    speedKmh: knownValue('speedKmh', event.speed_kmh) ?? null,
    headingDeg: knownValue('headingDeg', event.heading_deg) ?? null,
    endLatitude: end.latitude,
    endLongitude: end.longitude,
    endSpeedKmh: knownValue('speedKmh', event.end_speed_kmh) ?? null,
    endHeadingDeg: knownValue('headingDeg', event.end_heading_deg) ?? null,
  };
}

/** Null where it is not known: the database has zeros there. */
function placeOf(latitude: number, longitude: number) {
  return latitude === 0 && longitude === 0 ? { latitude: null, longitude: null } : { latitude, longitude };
}

function time(atMs: number): string | null {
  return atMs === 0 ? null : new Date(atMs).toISOString();
}
