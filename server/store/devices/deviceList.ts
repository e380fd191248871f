// Queries for tables of devices: the groups that the reader sees, the search, and the order.
import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { DeviceSort } from '../../../shared/protocol/api/devices.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  type ListSource,
  mapRows,
  numberColumn,
  type PageOfRows,
  type PageRequest,
  type SortKey,
  textColumn,
  textKey,
  totalFor,
  wideRowsOfPage,
} from '../engine/listPage.ts';
import type { Schema } from '../schema.ts';
import { searchKey } from './deviceKeys.ts';
import { type DeviceScope, type GroupSize, partOfPage } from './devicePage.ts';
import { type DeviceRecord, RECORD_COLUMNS, type RecordRow, toRecord } from './deviceRecordRows.ts';
import type { Edition } from './terminalIdentity.ts';

/** Which devices, in which order. */
export interface DeviceListQuery extends DeviceScope {
  /** Words that must all occur somewhere. */
  readonly search: string;
  readonly disabled?: boolean | undefined;
  readonly edition?: Edition | undefined;
  /** Whether a terminal has registered. */
  readonly registered?: boolean | undefined;
  readonly sort: DeviceSort;
  readonly descending: boolean;
}

export interface DevicePageQuery extends DeviceListQuery, PageRequest<DeviceSort> {}

const GROUP_NAME = sql<string>`lower(coalesce(device_group.name, ''))`;
const ORDER = {
  deviceid: textColumn('device.id_key'),
  name: textColumn('device.name_key'),
  plate: textColumn('device.plate_key'),
  terminal: textColumn('device.terminal_key'),
  group: textKey(GROUP_NAME),
  edition: textKey(sql`coalesce(device.edition, '')`),
  model: textColumn('device.model'),
  chn: numberColumn('device.chn'),
  disabled: numberColumn('device.disabled'),
  createdAtMs: numberColumn('device.created_at_ms'),
  changedAtMs: numberColumn('device.changed_at_ms'),
} as const satisfies Record<DeviceSort, SortKey>;

/** Undefined when the position doesn't belong to such a list. */
export async function pageOfDevices(db: StoreDb, query: DevicePageQuery): Promise<FoundPage<DeviceRecord> | undefined> {
  const [total, page] = await Promise.all([totalFor(db, idsIn(db, query), query), pageOfRecords(db, query)]);
  return page && mapRows({ ...total, ...page }, toRecord);
}

/** All of them, in order. */
export async function idsOfDevices(db: StoreDb, query: DeviceListQuery): Promise<string[]> {
  const direction = query.descending ? 'desc' : 'asc';
  let ordered = idsIn(db, query);
  for (const { expression } of keysOf(query)) ordered = ordered.orderBy(expression, direction);
  return (await ordered.execute()).map((row) => row.device_id);
}

interface DeviceId {
  readonly device_id: string;
}

async function pageOfRecords(db: StoreDb, query: DevicePageQuery): Promise<PageOfRows<RecordRow> | undefined> {
  const source = query.sort === 'group' ? await sourceByGroup(db, query) : { rows: idsIn(db, query) };
  const keys = keysOf(query);
  return wideRowsOfPage({ ...source, keys }, query, (page) =>
    asRecords(devicesOf(db).innerJoin(page, 'page.device_id', 'device.device_id')),
  );
}

/** No index is ordered by another table's names, but only a few groups contribute to a page. */
async function sourceByGroup(db: StoreDb, query: DevicePageQuery): Promise<Omit<ListSource<DeviceId>, 'keys'>> {
  const { position } = query;
  const cursorName = position.at === 'offset' ? undefined : position.values[0];
  // A position of another kind is refused with the page.
  if (position.at === 'from' || typeof cursorName === 'number') return { rows: idsIn(db, query) };
  const offset = position.at === 'offset' ? position.offset : 0;
  // One row more than is shown, like the query itself.
  const range = { offset, limit: query.limit + 1, cursorName };
  const part = partOfPage(await groupSizes(db, query, cursorName), range);
  return { rows: idsIn(db, { ...query, ...part.scope }), skipped: part.skipped };
}

function idsIn(db: StoreDb, query: DeviceListQuery) {
  const all = db.selectFrom('device').select('device.device_id');
  const joined =
    query.sort === 'group' ? all.leftJoin('device_group', 'device_group.serialno', 'device.device_group') : all;
  return joined.where((is) => matches(is as ExpressionBuilder<Schema, 'device'>, query));
}

function keysOf({ sort, search }: DeviceListQuery): readonly SortKey[] {
  const { kind, expression } = ORDER[sort];
  const first: SortKey = { kind, expression: search === '' ? expression : unindexed(expression) };
  const last = textColumn('device.device_id');
  // Equal keys are followed by the device id, whose search key is quicker to compare.
  return sort === 'deviceid' ? [first, last] : [first, ORDER.deviceid, last];
}

/** How many devices of the list each group has, in the order in which the page is read, starting at a name. */
async function groupSizes(
  db: StoreDb,
  query: DevicePageQuery,
  cursorName: string | undefined,
): Promise<readonly GroupSize[]> {
  const isDescending = query.descending !== (query.position.at === 'before');
  const counted = db
    .selectFrom('device')
    .select(['device.device_group as serialno', (is) => is.fn.countAll<number>().as('size')])
    .where((is) => matches(is, query))
    .groupBy('device.device_group')
    .as('counted');
  const named = db
    .selectFrom(counted)
    .leftJoin('device_group', 'device_group.serialno', 'counted.serialno')
    .select(['counted.serialno', 'counted.size', GROUP_NAME.as('name')])
    .orderBy(GROUP_NAME, isDescending ? 'desc' : 'asc');
  const from = isDescending ? sql`<=` : sql`>=`;
  const some = cursorName === undefined ? named : named.where(sql<SqlBool>`${GROUP_NAME} ${from} ${cursorName}`);
  return some.execute();
}

/**
 * The indexes of the orders don't contain a device's words: walking one would look up every device in its table to see whether it fits.
 * Finding first and sorting then is several times as fast.
 */
function unindexed(key: SortKey['expression']) {
  return sql`coalesce(${key}, ${key})`;
}

/** PostgreSQL takes 65,535 parameters a statement, SQLite 32,766. */
const IDS_A_STATEMENT = 10_000;

/** In the order of the ids; those that are gone are left out. */
export async function recordsOf(db: StoreDb, deviceIds: readonly string[]): Promise<DeviceRecord[]> {
  const found = new Map<string, DeviceRecord>();
  for (let at = 0; at < deviceIds.length; at += IDS_A_STATEMENT) {
    const part = deviceIds.slice(at, at + IDS_A_STATEMENT);
    const rows = await recordRows(db).where('device.device_id', 'in', part).execute();
    for (const row of rows) found.set(row.device_id, toRecord(row));
  }
  return deviceIds.flatMap((deviceId) => found.get(deviceId) ?? []);
}

export const recordRows = (db: StoreDb) => asRecords(devicesOf(db));

const devicesOf = (db: StoreDb) => db.selectFrom('device');
const RECORD_REFERENCES = RECORD_COLUMNS.map((column) => `device.${column}` as const);

/** Adds the columns of a record to a query of devices that selects nothing yet; it may have joined other tables. */
function asRecords(devices: ReturnType<typeof devicesOf>): SelectQueryBuilder<Schema, 'device', RecordRow> {
  const named = devices.leftJoin('device_group', 'device_group.serialno', 'device.device_group');
  return named.select(RECORD_REFERENCES).select('device_group.name as group_name');
}

export function inScope(is: ExpressionBuilder<Schema, 'device'>, { groups, ungrouped }: DeviceScope) {
  // One condition for each device: an `or` is two searches in the embedded database, which then has to merge the results.
  if (ungrouped) return is(sql<number>`coalesce(device.device_group, ${NO_GROUP})`, 'in', [NO_GROUP, ...groups]);
  return groups.length === 0 ? sql<SqlBool>`1 = 0` : is('device.device_group', 'in', groups);
}

/** Numbers of groups begin at 1. */
const NO_GROUP = 0;

function matches(is: ExpressionBuilder<Schema, 'device'>, query: DeviceListQuery) {
  const { search, disabled, edition, registered } = query;
  return is.and([
    inScope(is, query),
    ...wordsOf(search).map((word) => likeSearch('device.search_key', word)),
    ...(disabled === undefined ? [] : [is('device.disabled', '=', disabled ? 1 : 0)]),
    ...(edition === undefined ? [] : [is('device.edition', '=', edition)]),
    ...(registered === undefined ? [] : [is('device.adopted_terminal_id', registered ? 'is not' : 'is', null)]),
  ]);
}

const MAX_WORDS = 5;

function wordsOf(search: string): string[] {
  return searchKey(search).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}
