// Events with the names of their devices, groups, assignees and fences, as lists show them.
import type { Selectable } from 'kysely';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENT_SOURCES, EVENT_STATUSES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { knownValue } from '../../../../shared/protocol/positions/knownValues.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { EventTable } from '../tables.ts';

const COLUMNS = [
  'id',
  'version',
  'type',
  'severity',
  'status',
  'source',
  'unit',
  'area',
  'begin_at_ms',
  'end_at_ms',
  'device_time_ms',
  'last_seen_at_ms',
  'count',
  'value',
  'limit_value',
  'latitude',
  'longitude',
  'speed_kmh',
  'heading_deg',
  'driver',
  'late',
  'reason',
  'media',
  'acknowledged_at_ms',
  'closed_at_ms',
] as const satisfies readonly (keyof EventTable)[];
const REFERENCES = COLUMNS.map((column) => `event.${column}` as const);

export interface WideEvent extends Pick<Selectable<EventTable>, (typeof COLUMNS)[number]> {
  /** Null: an event of the gateway itself, or of a device that is gone. */
  readonly device_id: string | null;
  readonly device_name: string | null;
  readonly plate: string | null;
  readonly device_group: number | null;
  readonly group_name: string | null;
  /** Username. */
  readonly assigned_to: string | null;
  /** The fence that the area is: its member group and its name. */
  readonly area_owner: number | null;
  readonly area_name: string | null;
}

/** Some events, independent of the reader. */
export function wideEvents(db: StoreDb, ids: readonly number[]) {
  return db
    .selectFrom('event')
    .leftJoin('device', (join) =>
      join.onRef('device.archive_number', '=', 'event.archive_number').on('device.archive_number', '>', 0),
    )
    .leftJoin('device_group', 'device_group.serialno', 'device.device_group')
    .leftJoin('app_user', 'app_user.id', 'event.assignee')
    .leftJoin('fence', (join) => join.onRef('fence.id', '=', 'event.area').on('event.area', '>', 0))
    .select(REFERENCES)
    .select(['device.device_id', 'device.name as device_name', 'device.plate', 'device.device_group'])
    .select(['device_group.name as group_name', 'app_user.username as assigned_to'])
    .select(['fence.member_group as area_owner', 'fence.name as area_name'])
    .where('event.id', 'in', ids.length === 0 ? [0] : ids);
}

/** `memberGroup`: the reader's. Names of other groups' fences are left out, though the device's events in them are visible. */
export function toEventRow(row: WideEvent, memberGroup: number): EventRow {
  const { areaOwner, ...event } = toSharedEventRow(row);
  return areaOwner === memberGroup ? event : { ...event, areaName: '' };
}

/** An event before it is known who reads it. */
export type SharedEventRow = EventRow & {
  /** The only member group that gets `areaName`. */
  readonly areaOwner?: number;
};

export function toSharedEventRow(row: WideEvent): SharedEventRow {
  const isPlaced = row.latitude !== 0 || row.longitude !== 0;
  return {
    id: row.id,
    version: row.version,
    type: row.type,
    severity: SEVERITIES[row.severity] ?? 'info',
    status: EVENT_STATUSES[row.status] ?? 'new',
    source: EVENT_SOURCES[row.source] ?? 'terminal',
    deviceid: row.device_id ?? '',
    deviceName: row.device_name ?? '',
    plate: row.plate ?? '',
    group: row.device_group ?? 0,
    groupName: row.group_name ?? '',
    unit: row.unit,
    area: row.area,
    areaName: row.area_name ?? '',
    areaOwner: row.area_owner ?? 0,
    beginAtMs: wallMs(row.begin_at_ms),
    endAtMs: wallMs(row.end_at_ms),
    deviceTimeMs: wallMs(row.device_time_ms),
    lastSeenAtMs: wallMs(row.last_seen_at_ms),
    count: row.count,
    value: row.value,
    limit: row.limit_value,
    lat: isPlaced ? row.latitude : null,
    lng: isPlaced ? row.longitude : null,
    speedKmh: knownValue('speedKmh', row.speed_kmh) ?? null,
    heading: knownValue('headingDeg', row.heading_deg) ?? null,
    driver: row.driver,
    late: row.late === 1,
    assignee: row.assigned_to ?? '',
    reason: row.reason,
    media: row.media,
    acknowledgedAtMs: wallMs(row.acknowledged_at_ms),
    closedAtMs: wallMs(row.closed_at_ms),
  };
}
