// Writing events as they begin, continue and end, and reading them back at a start. Actions of members: eventActs.ts.
import type { Insertable, Selectable } from 'kysely';
import {
  EVENT_SOURCES,
  EVENT_STATUSES,
  type EventSource,
  SEVERITIES,
  type Severity,
} from '../../../shared/protocol/events/eventWords.ts';
import { knownValue, UNKNOWN_NUMBER } from '../../../shared/protocol/positions/knownValues.ts';
import { searchKey } from '../devices/deviceKeys.ts';
import type { StoreDb } from '../engine/database.ts';
import { writeMessages } from '../notify/messageWriting.ts';
import type { EventMessage } from '../notify/plannedMessage.ts';
import { severityOrder } from './list/severityOrder.ts';
import type { EventDayTable, EventTable } from './tables.ts';

interface EventPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined: not known. */
  readonly speedKmh: number | undefined;
  readonly headingDeg: number | undefined;
}

/** The fields that stay as they were when the event began. */
interface EventBeginning {
  readonly type: string;
  readonly unit: number;
  readonly area: number;
  readonly severity: Severity;
  readonly source: EventSource;
  readonly beginAtMs: number;
  readonly deviceTimeMs: number;
  readonly place: EventPlace;
  readonly driver: string;
  readonly rule: number;
  readonly isLate: boolean;
  readonly edition: string;
}

interface EventProgress {
  readonly origins: number;
  /** 0 while it lasts. */
  readonly endAtMs: number;
  readonly lastSeenAtMs: number;
  readonly endPlace: EventPlace;
  readonly count: number;
  readonly value: number | undefined;
  readonly limit: number | undefined;
  readonly alarmMark: string;
}

export interface NewEvent extends EventBeginning, EventProgress {
  /** 0: the gateway itself. */
  readonly archiveNumber: number;
}

export interface ChangedEvent extends EventProgress {
  readonly id: number;
  /** Tells PostgreSQL which month the event lies in. */
  readonly beginAtMs: number;
}

/** Numbers that are added to the counts of a day. */
export interface DayCount {
  readonly archiveNumber: number;
  readonly type: string;
  readonly day: number;
  readonly count: number;
  readonly seconds: number;
}

export interface EventBatch {
  readonly added: readonly NewEvent[];
  readonly changed: readonly ChangedEvent[];
  readonly days: readonly DayCount[];
  /** Messages about the added events. */
  readonly messages?: readonly EventMessage[] | undefined;
}

export interface StoredEvent extends NewEvent {
  readonly id: number;
  /** A member has closed it. */
  readonly isAnswered: boolean;
}

export interface EventLogStore {
  /** All or nothing. Gives the ids of those that were added, in their order. */
  write(batch: EventBatch): Promise<number[]>;
  /** Events that last, and events that began since then. */
  tracked(begunSinceMs: number): Promise<StoredEvent[]>;
  /** Events of one device and type; the newest thousand. */
  begunBetween(wanted: EventRange): Promise<BegunEvent[]>;
}

export interface EventRange {
  readonly archiveNumber: number;
  readonly type: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export type BegunEvent = Pick<StoredEvent, 'unit' | 'area' | 'beginAtMs' | 'endAtMs' | 'lastSeenAtMs'> &
  Pick<StoredEvent, 'isLate' | 'alarmMark'>;

/** SQLite takes 32,766 parameters a statement; an event has some forty. */
const ROWS_PER_STATEMENT = 500;
const FIRST_ANSWERED = EVENT_STATUSES.indexOf('closed');
/** More than a type raises in a day, by its limit. */
const BEGUN_MAX = 1_000;

export function createEventLogStore(db: StoreDb): EventLogStore {
  return {
    write: (batch) => {
      // The rows are made before anything is awaited: events change while they are written.
      const rows = batch.added.map(toRow);
      const changes = batch.changed.map((event) => ({ event, columns: toProgress(event) }));
      return db.transaction().execute(async (work) => {
        const ids = await insertEvents(work, rows);
        for (const { event, columns } of changes) {
          const update = work.updateTable('event').set(columns).where('id', '=', event.id);
          await update.where('begin_at_ms', '=', event.beginAtMs).execute();
        }
        await addDrivers(work, batch.added);
        await addDays(work, batch.days);
        if (batch.messages !== undefined) await writeMessages(work, batch.messages, ids);
        return ids;
      });
    },
    tracked: async (begunSinceMs) => {
      const rows = await db
        .selectFrom('event')
        .selectAll()
        .where(({ or, eb }) => or([eb('end_at_ms', '=', 0), eb('begin_at_ms', '>=', begunSinceMs)]))
        .execute();
      return rows.map(toStored);
    },
    begunBetween: (wanted) => begunBetween(db, wanted),
  };
}

async function begunBetween(db: StoreDb, { archiveNumber, type, fromMs, toMs }: EventRange): Promise<BegunEvent[]> {
  const rows = await db
    .selectFrom('event')
    .select(['unit', 'area', 'begin_at_ms', 'end_at_ms', 'last_seen_at_ms', 'late', 'alarm_mark'])
    .where('archive_number', '=', archiveNumber)
    .where('begin_at_ms', '>=', fromMs)
    .where('begin_at_ms', '<=', toMs)
    .where('type', '=', type)
    .orderBy('begin_at_ms', 'desc')
    .limit(BEGUN_MAX)
    .execute();
  return rows.map((row) => ({
    unit: row.unit,
    area: row.area,
    beginAtMs: row.begin_at_ms,
    endAtMs: row.end_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    isLate: row.late === 1,
    alarmMark: row.alarm_mark,
  }));
}

type EventRow = Insertable<EventTable>;

/** Ids rise in the order of the rows, whatever order the engine returns them in. */
async function insertEvents(work: StoreDb, rows: readonly EventRow[]): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const part = rows.slice(start, start + ROWS_PER_STATEMENT);
    const added = await work.insertInto('event').values(part).returning('id').execute();
    ids.push(...added.map(({ id }) => id).sort((left, right) => left - right));
  }
  return ids;
}

/** Names of drivers are searched separately from the events. */
async function addDrivers(work: StoreDb, events: readonly NewEvent[]): Promise<void> {
  const names = [...new Set(events.map(({ driver }) => driver))].filter((name) => name !== '');
  if (names.length === 0) return;
  const rows = names.map((name) => ({ name, search_key: searchKey(name) }));
  const insert = work.insertInto('event_driver').values(rows);
  await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
}

async function addDays(work: StoreDb, days: readonly DayCount[]): Promise<void> {
  const rows = [...summed(days).values()];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await work
      .insertInto('event_day')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['archive_number', 'type', 'day']).doUpdateSet(({ eb, ref }) => ({
          count: eb(ref('event_day.count'), '+', ref('excluded.count')),
          seconds: eb(ref('event_day.seconds'), '+', ref('excluded.seconds')),
        })),
      )
      .execute();
  }
}

/** One statement can't change a row twice. */
function summed(days: readonly DayCount[]): ReadonlyMap<string, Insertable<EventDayTable>> {
  const sums = new Map<string, Insertable<EventDayTable>>();
  for (const { archiveNumber, type, day, count, seconds } of days) {
    const key = `${archiveNumber} ${day} ${type}`;
    const before = sums.get(key);
    sums.set(key, {
      archive_number: archiveNumber,
      type,
      day,
      count: (before?.count ?? 0) + count,
      seconds: (before?.seconds ?? 0) + seconds,
    });
  }
  return sums;
}

function toRow(event: NewEvent): EventRow {
  const severity = SEVERITIES.indexOf(event.severity);
  return {
    ...toProgress(event),
    archive_number: event.archiveNumber,
    type: event.type,
    severity,
    severity_order: severityOrder(severity, event.beginAtMs),
    status: 0,
    source: EVENT_SOURCES.indexOf(event.source),
    unit: event.unit,
    area: event.area,
    begin_at_ms: event.beginAtMs,
    device_time_ms: event.deviceTimeMs,
    latitude: event.place.latitude,
    longitude: event.place.longitude,
    speed_kmh: event.place.speedKmh ?? UNKNOWN_NUMBER,
    heading_deg: event.place.headingDeg ?? UNKNOWN_NUMBER,
    driver: event.driver,
    rule: event.rule,
    late: event.isLate ? 1 : 0,
    edition: event.edition,
    assignee: null,
    reason: '',
    media: 0,
    acknowledged_at_ms: 0,
    closed_at_ms: 0,
    version: 1,
  };
}

function toProgress(event: EventProgress) {
  return {
    origins: event.origins,
    end_at_ms: event.endAtMs,
    last_seen_at_ms: event.lastSeenAtMs,
    end_latitude: event.endPlace.latitude,
    end_longitude: event.endPlace.longitude,
    end_speed_kmh: event.endPlace.speedKmh ?? UNKNOWN_NUMBER,
    end_heading_deg: event.endPlace.headingDeg ?? UNKNOWN_NUMBER,
    count: event.count,
    value: event.value ?? null,
    limit_value: event.limit ?? null,
    alarm_mark: event.alarmMark,
  };
}

function toStored(row: Selectable<EventTable>): StoredEvent {
  return {
    id: row.id,
    archiveNumber: row.archive_number,
    type: row.type,
    unit: row.unit,
    area: row.area,
    severity: SEVERITIES[row.severity] ?? 'info',
    source: EVENT_SOURCES[row.source] ?? 'terminal',
    beginAtMs: row.begin_at_ms,
    deviceTimeMs: row.device_time_ms,
    place: {
      latitude: row.latitude,
      longitude: row.longitude,
      speedKmh: knownValue('speedKmh', row.speed_kmh),
      headingDeg: knownValue('headingDeg', row.heading_deg),
    },
    driver: row.driver,
    rule: row.rule,
    isLate: row.late === 1,
    edition: row.edition,
    origins: row.origins,
    endAtMs: row.end_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    endPlace: {
      latitude: row.end_latitude,
      longitude: row.end_longitude,
      speedKmh: knownValue('speedKmh', row.end_speed_kmh),
      headingDeg: knownValue('headingDeg', row.end_heading_deg),
    },
    count: row.count,
    value: row.value ?? undefined,
    limit: row.limit_value ?? undefined,
    alarmMark: row.alarm_mark,
    isAnswered: row.status >= FIRST_ANSWERED,
  };
}
