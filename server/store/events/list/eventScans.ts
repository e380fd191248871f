// Statements that find the events of a filter by one index. The rest of the filter is checked at each event, in a form that no other index
// answers: the choice was made with known figures, which the engines can only guess.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { bigint } from '../../engine/bigint.ts';
import type { StoreDb } from '../../engine/database.ts';
import { isPostgres } from '../../engine/lockingRows.ts';
import type { Schema } from '../../schema.ts';
import { type EventAccess, type EventScan, isBounded, type OrderRange, orderRanges, scansOf } from './eventAccess.ts';
import {
  allOf,
  checksOf,
  type EventSearch,
  hasWords,
  isDeviceSeen,
  seesGateway,
  statusNumbers,
} from './eventChecks.ts';
import { SEVERITY_STEP } from './severityOrder.ts';

/** An event with the keys that lists are sorted by. */
export interface EventKey {
  readonly id: number;
  readonly begin_at_ms: number;
  readonly severity_order: number;
}

// The tables that a statement joins beside the events don't matter here.
// biome-ignore lint/suspicious/noExplicitAny: Kysely's builder is invariant in its tables
export type EventKeys = SelectQueryBuilder<Schema, any, EventKey>;

/** A part of an index that has its events in the order of severity and time. */
export interface IndexRange extends OrderRange {
  /** Value of the index's first column, where it has one before the order. */
  readonly value?: string | number;
}

export function rangesOf(scan: EventScan, search: EventSearch): readonly IndexRange[] {
  const ranges = scan === 'driver' && !isBounded(search) ? [WHOLE_ORDER] : orderRanges(search);
  const values = valuesOf(scan, search);
  return values?.flatMap((value) => ranges.map((range) => ({ ...range, value }))) ?? ranges;
}

/** Drivers can be many, and events are never walked by them. */
const WHOLE_ORDER: OrderRange = { severity: 0, from: 0, to: SEVERITIES.length * SEVERITY_STEP };

/** All events that the access finds, in no order; each event occurs once. */
export function foundBy(db: StoreDb, access: EventAccess, search: EventSearch): EventKeys {
  const found = scansOf(access, search).map((scan) => scanOf(db, scan, search).where(allOf(checksOf(scan, search))));
  return together(found.length > 1 ? found.map((events) => keysIn(db, events)) : found);
}

/** All events that the access looks at. */
export function lookedAtBy(db: StoreDb, access: EventAccess, search: EventSearch): EventKeys {
  const looked = scansOf(access, search).map((scan) => scanOf(db, scan, search));
  return together(looked.length > 1 ? looked.map((events) => keysIn(db, events)) : looked);
}

/** The events of one range, in no order. */
export function eventsInRange(db: StoreDb, scan: EventScan, { value, from, to }: IndexRange): EventKeys {
  const begin = { fromMs: from % SEVERITY_STEP, toMs: ((to - 1) % SEVERITY_STEP) + 1 };
  const events = db
    .selectFrom('event')
    .select(KEYS_OF_ORDER)
    .where(begunWith(scan, sql`${value}`))
    .where(inMonthsOf(db, begin));
  return events.where(sql<SqlBool>`event.severity_order >= ${bigint(from)} and event.severity_order < ${bigint(to)}`);
}

/** For each event that the scan looks at, whether it fits: 1 or 0. */
export function fitsOf(db: StoreDb, scan: EventScan, search: EventSearch) {
  const fits = sql<number>`case when ${allOf(checksOf(scan, search))} then 1 else 0 end`.as('fits');
  return scanOf(db, scan, search).clearSelect().select(fits);
}

export function keysIn(db: StoreDb, events: EventKeys): EventKeys {
  return db.selectFrom(events.as('found')).select(['found.id', 'found.begin_at_ms', 'found.severity_order']);
}

export function together(parts: readonly EventKeys[]): EventKeys {
  return parts.reduce((all, each) => all.unionAll(each));
}

const KEYS = ['event.id', 'event.begin_at_ms', 'event.severity_order'] as const;
/** Indexes in this order contain the begin too: the events themselves need not be read. */
const BEGIN_OF_ORDER = sql<number>`event.severity_order % ${bigint(SEVERITY_STEP)}`.as('begin_at_ms');
const KEYS_OF_ORDER = ['event.id', BEGIN_OF_ORDER, 'event.severity_order'] as const;

function valuesOf(scan: EventScan, search: EventSearch): readonly (string | number)[] | undefined {
  switch (scan) {
    case 'type':
      return search.types ?? [];
    case 'status':
      return statusNumbers(search.statuses);
    case 'assignee':
      return [search.assigneeId];
    case 'driver':
      return search.drivers;
    default:
      return undefined;
  }
}

/** Condition on the first column of the index. Conditions of partial indexes are written exactly as in the indexes. */
function begunWith(scan: EventScan, value: RawBuilder<unknown>): RawBuilder<SqlBool> {
  switch (scan) {
    case 'type':
      return sql`event.type = ${value}`;
    case 'status':
      return sql`event.status = ${value}`;
    case 'assignee':
      return sql`event.assignee = ${value} and event.assignee is not null`;
    case 'driver':
      return sql`event.driver = ${value} and event.driver <> ''`;
    case 'late':
      return sql`event.late = 1`;
    case 'media':
      return sql`event.media > 0`;
    case 'lasting':
      return sql`event.end_at_ms = 0`;
    case 'device':
    case 'word':
    case 'time':
      return sql`1 = 1`;
  }
}

/** The part that is named first in the statement is gone through first: the engines keep the order of cross joins. */
function scanOf(db: StoreDb, scan: EventScan, search: EventSearch): EventKeys {
  if (scan === 'device' || scan === 'word') {
    const events = db
      .selectFrom(devicesSeen(db, scan, search).as('seen'))
      .crossJoin('event')
      .select(KEYS);
    return inPeriod(events.where(sql<SqlBool>`event.archive_number = seen.archive_number`), search);
  }
  if (scan === 'time' && search.severities === undefined) {
    return inPeriod(db.selectFrom('event').select(KEYS), search);
  }
  const parts = db.selectFrom(tableOf(scan, rangesOf(scan, search)).as('part'));
  const begun = parts
    .crossJoin('event')
    .select(KEYS_OF_ORDER)
    .where(begunWith(scan, sql.ref('part.value')));
  const events = begun.where(inMonthsOf(db, search));
  return events.where(sql<SqlBool>`event.severity_order >= part.from_order and event.severity_order < part.to_order`);
}

/** PostgreSQL reads only these months. On SQLite the condition would choose another index. */
function inMonthsOf(db: StoreDb, { fromMs, toMs }: Pick<EventSearch, 'fromMs' | 'toMs'>): RawBuilder<SqlBool> {
  if (!isPostgres(db)) return allOf([]);
  return allOf([
    ...(fromMs === undefined ? [] : [sql<SqlBool>`event.begin_at_ms >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql<SqlBool>`event.begin_at_ms < ${toMs}`]),
  ]);
}

function inPeriod(events: EventKeys, { fromMs, toMs }: EventSearch): EventKeys {
  const begun = fromMs === undefined ? events : events.where('event.begin_at_ms', '>=', fromMs);
  return toMs === undefined ? begun : begun.where('event.begin_at_ms', '<', toMs);
}

/** Ranges as a table, whose rows a statement goes through. */
function tableOf(scan: EventScan, ranges: readonly IndexRange[]): RawBuilder<{ readonly value: unknown }> {
  const type = sql.raw(scan === 'type' || scan === 'driver' ? 'text' : 'bigint');
  const rows = ranges.map(({ value = 0, from, to }) => {
    const columns = sql`${bigint(from)} as from_order, ${bigint(to)} as to_order`;
    return sql`select cast(${value} as ${type}) as value, ${columns}`;
  });
  const none = sql`select cast(null as ${type}) as value, 0 as from_order, 0 as to_order where 1 = 0`;
  return sql`(${rows.length === 0 ? none : sql.join(rows, sql` union all `)})`;
}

/** Archive numbers of devices; 0 for the gateway itself, where it is in the scope. */
function devicesSeen(db: StoreDb, scan: 'device' | 'word', search: EventSearch) {
  const seen = db.selectFrom('device').select('device.archive_number').where(isDeviceSeen(search));
  const devices = scan === 'word' ? seen.where(hasWords(search)) : seen;
  if (!seesGateway(search)) return devices;
  return devices.unionAll(db.selectNoFrom(bigint(0).as('archive_number')));
}
