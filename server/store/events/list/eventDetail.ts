// One event with everything known about it, and what was done to it.
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { EventDetail, EventRow, EventStep } from '../../../../shared/protocol/api/events.ts';
import { EVENT_ACTS, EVENT_STATUSES, type EventStatus } from '../../../../shared/protocol/events/eventWords.ts';
import { knownValue } from '../../../../shared/protocol/positions/knownValues.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { EventStepTable } from '../tables.ts';
import { isInScope } from './eventChecks.ts';
import type { EventScope } from './eventFilter.ts';
import { type SharedEventRow, toEventRow, toSharedEventRow, wideEvents } from './eventRows.ts';

/** Undefined for an event that is not in the scope. */
export async function findEvent(db: StoreDb, id: number, scope: EventScope): Promise<EventDetail | undefined> {
  const found = wideEvents(db, [id])
    .select(['event.end_latitude', 'event.end_longitude', 'event.end_speed_kmh', 'event.end_heading_deg'])
    .select('event.alarm_mark')
    .where(isInScope(scope));
  const row = await found.executeTakeFirst();
  if (row === undefined) return undefined;
  const steps = db.selectFrom('event_step').selectAll().where('event_id', '=', id).orderBy('id');
  const isPlaced = row.end_latitude !== 0 || row.end_longitude !== 0;
  return {
    event: toEventRow(row, scope.memberGroup),
    steps: (await steps.execute()).map(toStep),
    endLat: isPlaced ? row.end_latitude : null,
    endLng: isPlaced ? row.end_longitude : null,
    endSpeedKmh: knownValue('speedKmh', row.end_speed_kmh) ?? null,
    endHeading: knownValue('headingDeg', row.end_heading_deg) ?? null,
    alarmMark: row.alarm_mark,
  };
}

/** Events independent of the reader, except those of devices that are disabled or gone. */
export async function rowsOfEvents(db: StoreDb, ids: readonly number[]): Promise<SharedEventRow[]> {
  const shown = wideEvents(db, ids).where(sql<SqlBool>`(event.archive_number = 0 or device.disabled = 0)`);
  return (await shown.orderBy('event.id').execute()).map(toSharedEventRow);
}

/** The events among these that are in the scope, ordered by id. */
export async function seenRowsOfEvents(db: StoreDb, ids: readonly number[], scope: EventScope): Promise<EventRow[]> {
  const seen = wideEvents(db, ids).where(isInScope(scope));
  return (await seen.orderBy('event.id').execute()).map((row) => toEventRow(row, scope.memberGroup));
}

function toStep(row: Selectable<EventStepTable>): EventStep {
  return {
    id: row.id,
    atMs: wallMs(row.at_ms),
    user: row.user_name,
    act: EVENT_ACTS.find((act) => act === row.act) ?? 'note',
    from: statusOf(row.from_status),
    to: statusOf(row.to_status),
    assignee: row.assignee_name,
    reason: row.reason,
    note: row.note,
  };
}

const statusOf = (number: number): EventStatus => EVENT_STATUSES[number] ?? 'new';
