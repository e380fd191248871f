// Statements that find the events of a filter by one index. What else the filter says is checked at each event, in a form that
// no other index answers: the choice was made with the sizes at hand, which the engines can only guess.
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { EVENT_STATUSES, type EventStatus } from '../../../shared/protocol/events/eventWords.ts';
import { searchKey } from '../devices/deviceKeys.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import type { Schema } from '../schema.ts';
import { type EventAccess, type EventScan, type OrderRange, orderRanges, scansOf } from './eventAccess.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';

/** A filter whose names have been looked up. */
export interface EventSearch extends EventFilter, EventScope {
  /** Names of drivers that have the searched text. */
  readonly drivers: readonly string[];
  /** Of the user that the filter names; 0 for nobody, and for a user whom there is not. */
  readonly assigneeId: number;
}

/** An event by what lists are sorted by. */
export interface EventKey {
  readonly id: number;
  readonly begin_at_ms: number;
  readonly severity_order: number;
}

// The tables that a statement joins beside the events are its own matter.
// biome-ignore lint/suspicious/noExplicitAny: Kysely's builder is invariant in its tables
export type EventKeys = SelectQueryBuilder<Schema, any, EventKey>;

/** A part of an index, which has its events in the order of severity and time. */
export interface IndexRange extends OrderRange {
  /** Of the index's first column, where it has one before the order. */
  readonly value?: string | number;
}

export function rangesOf(scan: EventScan, search: EventSearch): readonly IndexRange[] {
  const ranges = orderRanges(search);
  const values = valuesOf(scan, search);
  return values?.flatMap((value) => ranges.map((range) => ({ ...range, value }))) ?? ranges;
}

/** All that the access finds, in no order; an event stands in it once. */
export function foundBy(db: StoreDb, access: EventAccess, search: EventSearch): EventKeys {
  const [first, second] = scansOf(access).map((scan) => matching(scanOf(db, scan, search), scan, search));
  if (first === undefined) throw new Error('an access without a scan');
  return second === undefined ? first : keysIn(db, first.union(second));
}

/** The events of one range that fit, in no order. */
export function foundInRange(db: StoreDb, scan: EventScan, range: IndexRange, search: EventSearch): EventKeys {
  const within = sql<SqlBool>`event.severity_order >= cast(${range.from} as bigint)
    and event.severity_order < cast(${range.to} as bigint)`;
  const inRange = db.selectFrom('event').select(KEYS).where(begunWith(scan, sql`${range.value}`)).where(within);
  return matching(inRange, scan, search);
}

/** How many events the access looks at, to a maximum; the indexes alone tell it. */
export async function sizeOf(db: StoreDb, access: EventAccess, search: EventSearch, most: number): Promise<number> {
  const sizes = await Promise.all(scansOf(access).map((scan) => countUpTo(db, scanOf(db, scan, search), most)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function countUpTo(db: StoreDb, events: EventKeys, most: number): Promise<number> {
  const some = events.clearSelect().select(sql<number>`1`.as('one')).limit(most).as('some');
  const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

export function keysIn(db: StoreDb, events: EventKeys): EventKeys {
  return db.selectFrom(events.as('found')).select(['found.id', 'found.begin_at_ms', 'found.severity_order']);
}

const KEYS = ['event.id', 'event.begin_at_ms', 'event.severity_order'] as const;

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

/** What the index begins with. The conditions of partial indexes stand as the indexes have them. */
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

/** What is named before it in the statement is gone through first: the engines keep the order of cross joins. */
function scanOf(db: StoreDb, scan: EventScan, search: EventSearch): EventKeys {
  const isByTime = search.severities === undefined;
  if (scan === 'time' && isByTime) return inPeriod(db.selectFrom('event').select(KEYS), search);
  if (scan === 'device' || scan === 'word') {
    const devices = db.selectFrom(devicesSeen(db, scan, search).as('seen'));
    const ofDevice = sql<SqlBool>`event.archive_number = seen.archive_number`;
    if (isByTime) return inPeriod(devices.crossJoin('event').select(KEYS).where(ofDevice), search);
    const events = devices.crossJoin(tableOf(scan, orderRanges(search)).as('part')).crossJoin('event').select(KEYS);
    return events.where(ofDevice).where(IN_PART);
  }
  const parts = db.selectFrom(tableOf(scan, rangesOf(scan, search)).as('part'));
  const events = parts.crossJoin('event').select(KEYS);
  return events.where(begunWith(scan, sql.ref('part.value'))).where(IN_PART);
}

const IN_PART = sql<SqlBool>`event.severity_order >= part.from_order and event.severity_order < part.to_order`;

function inPeriod(events: EventKeys, { fromMs, toMs }: EventSearch): EventKeys {
  const begun = fromMs === undefined ? events : events.where('event.begin_at_ms', '>=', fromMs);
  return toMs === undefined ? begun : begun.where('event.begin_at_ms', '<', toMs);
}

/** Ranges as a table, whose rows a statement goes through. */
function tableOf(scan: EventScan, ranges: readonly IndexRange[]): RawBuilder<{ readonly value: unknown }> {
  const type = sql.raw(scan === 'type' || scan === 'driver' ? 'text' : 'bigint');
  const rows = ranges.map(({ value = 0, from, to }) => {
    const columns = sql`cast(${from} as bigint) as from_order, cast(${to} as bigint) as to_order`;
    return sql`select cast(${value} as ${type}) as value, ${columns}`;
  });
  const none = sql`select null as value, 0 as from_order, 0 as to_order where 1 = 0`;
  return sql`(${rows.length === 0 ? none : sql.join(rows, sql` union all `)})`;
}

/** Numbers of the archives that devices have; 0 for the gateway itself, where it is in the scope. */
function devicesSeen(db: StoreDb, scan: 'device' | 'word', search: EventSearch) {
  const seen = db.selectFrom('device').select('device.archive_number').where(isDeviceSeen(search));
  const devices = scan === 'word' ? seen.where(hasWords(search)) : seen;
  if (!seesGateway(search)) return devices;
  return devices.unionAll(db.selectNoFrom(sql<number>`cast(0 as bigint)`.as('archive_number')));
}

/** With a filter of devices there are none of the gateway. */
function seesGateway({ seesGateway, deviceId, groups, search }: EventSearch): boolean {
  return seesGateway && deviceId === undefined && groups === undefined && search === '';
}

/** Events lie under numbers above 0, which devices take over. */
function isDeviceSeen({ memberGroup, deviceId, groups }: EventSearch): RawBuilder<SqlBool> {
  const owned = sql`select device_group from member_group_device_group where member_group = ${memberGroup}`;
  return all([
    sql`device.archive_number > 0 and device.disabled = 0 and device.device_group in (${owned})`,
    ...(deviceId === undefined ? [] : [sql<SqlBool>`device.device_id = ${deviceId}`]),
    ...(groups === undefined ? [] : [isOneOf(sql`device.device_group`, groups)]),
  ]);
}

const MAX_WORDS = 5;

/** All of the words, as in lists of devices. */
function hasWords({ search }: EventSearch): RawBuilder<SqlBool> {
  return all(wordsOf(search).map((word) => likeSearch('device.search_key', word)));
}

export function wordsOf(search: string): readonly string[] {
  return searchKey(search).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

/** What of the filter the scan does not see to by itself. */
function matching(events: EventKeys, scan: EventScan, search: EventSearch): EventKeys {
  const isSeenByScan = scan === 'word' || (scan === 'device' && search.search === '');
  const checks = isSeenByScan ? checksOf(scan, search) : [isSeen(search), ...checksOf(scan, search)];
  return checks.length === 0 ? events : events.where(all(checks));
}

function isSeen(search: EventSearch): RawBuilder<SqlBool> {
  const words = hasWords(search);
  const found =
    search.drivers.length === 0 ? words : sql<SqlBool>`(${words} or ${isOneOf(sql`event.driver`, search.drivers)})`;
  // One row: it is asked for each event, and no engine makes a join of it that begins with the devices.
  const seen = sql<SqlBool>`(select 1 from device where device.archive_number = event.archive_number
    and ${isDeviceSeen(search)} and ${found} limit 1) = 1`;
  return seesGateway(search) ? sql<SqlBool>`(${seen} or event.archive_number = 0)` : seen;
}

/** Every scan sees to the period and the severities. */
function checksOf(scan: EventScan, search: EventSearch): readonly RawBuilder<SqlBool>[] {
  const { types, statuses, assignee, assigneeId, isLate, hasMedia, isLasting } = search;
  const check = (own: EventScan, isGiven: boolean, condition: RawBuilder<SqlBool>) =>
    isGiven && own !== scan ? [condition] : [];
  return [
    ...check('type', types !== undefined, isOneOf(unindexed('type'), types ?? [])),
    ...check('status', statuses !== undefined, isOneOf(unindexed('status'), statusNumbers(statuses))),
    ...check('assignee', assignee !== undefined, sql`coalesce(event.assignee, 0) = ${assigneeId}`),
    ...check('late', isLate !== undefined, sql`${unindexed('late')} = ${isLate === true ? 1 : 0}`),
    ...check('media', hasMedia !== undefined, sql`(${unindexed('media')} > 0) = ${truth(hasMedia)}`),
    ...check('lasting', isLasting !== undefined, sql`(${unindexed('end_at_ms')} = 0) = ${truth(isLasting)}`),
  ];
}

const truth = (is: boolean | undefined) => (is === true ? sql`(1 = 1)` : sql`(1 = 0)`);

function unindexed(column: string): RawBuilder<unknown> {
  const name = sql.ref(`event.${column}`);
  return sql`coalesce(${name}, ${name})`;
}

function statusNumbers(statuses: readonly EventStatus[] = []): readonly number[] {
  return statuses.map((status) => EVENT_STATUSES.indexOf(status));
}

function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join([...values])})`;
}

function all(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql`1 = 1` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;
}
