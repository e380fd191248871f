// Which devices a table asks for, as a query: the groups that its reader sees, what was searched, in which order.
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { DeviceSort } from '../../../shared/protocol/api/devices.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import { searchKey } from './deviceKeys.ts';
import { type DeviceScope, type GroupSize, type Page, partOfPage } from './devicePage.ts';
import { type DeviceRecord, type RecordRow, toRecord } from './deviceRecordRows.ts';
import type { Edition } from './terminalIdentity.ts';

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

const ORDER = {
  deviceid: sql.ref('device.id_key'),
  name: sql.ref('device.name_key'),
  plate: sql.ref('device.plate_key'),
  terminal: sql.ref('device.terminal_key'),
  group: sql<string>`lower(coalesce(device_group.name, ''))`,
  edition: sql`coalesce(device.edition, '')`,
  model: sql.ref('device.model'),
  chn: sql.ref('device.chn'),
  disabled: sql.ref('device.disabled'),
  createdAtMs: sql.ref('device.created_at_ms'),
  changedAtMs: sql.ref('device.changed_at_ms'),
} as const satisfies Record<DeviceSort, unknown>;

export async function countDevices(db: StoreDb, query: DeviceListQuery): Promise<number> {
  const counted = db.selectFrom('device').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.where((is) => matches(is, query)).executeTakeFirstOrThrow()).count;
}

export async function pageOfDevices(db: StoreDb, query: DeviceListQuery, page: Page): Promise<DeviceRecord[]> {
  const ids = await pageOfIds(db, query, page);
  return recordsOf(db, ids);
}

/** First the ids alone: wide rows are slow to sort. */
export async function pageOfIds(db: StoreDb, query: DeviceListQuery, page?: Page): Promise<string[]> {
  if (query.sort !== 'group' || page === undefined) return orderedIds(db, query, page);
  // No index has the order of another table's names, but few groups have a part in a page.
  const part = partOfPage(await groupSizes(db, query), page);
  return orderedIds(db, { ...query, ...part.scope }, { offset: part.offset, limit: page.limit });
}

async function orderedIds(db: StoreDb, query: DeviceListQuery, page?: Page): Promise<string[]> {
  const { sort, descending } = query;
  const direction = descending ? 'desc' : 'asc';
  const all = db.selectFrom('device').select('device.device_id');
  const joined = sort === 'group' ? all.leftJoin('device_group', 'device_group.serialno', 'device.device_group') : all;
  const found = joined.where((is) => matches(is as ExpressionBuilder<Schema, 'device'>, query));
  const ordered = found.orderBy(query.search === '' ? ORDER[sort] : unindexed(ORDER[sort]), direction);
  // Alike they stand by their ids, of which the key is quicker to compare.
  const whole = ordered.orderBy('device.id_key', direction).orderBy('device.device_id', direction);
  const rows = await (page === undefined ? whole : whole.limit(page.limit).offset(page.offset)).execute();
  return rows.map((row) => row.device_id);
}

/** How many devices of the list each group has, in the order of the groups' names. */
async function groupSizes(db: StoreDb, query: DeviceListQuery): Promise<GroupSize[]> {
  const counted = db
    .selectFrom('device')
    .select(['device.device_group as serialno', (is) => is.fn.countAll<number>().as('size')])
    .where((is) => matches(is, query))
    .groupBy('device.device_group')
    .as('counted');
  return db
    .selectFrom(counted)
    .leftJoin('device_group', 'device_group.serialno', 'counted.serialno')
    .select(['counted.serialno', 'counted.size', ORDER.group.as('name')])
    .orderBy(ORDER.group, query.descending ? 'desc' : 'asc')
    .execute();
}

/**
 * The words of a device are not in the indexes of the orders: walking one would look every device up in its table to see
 * whether it fits. Finding first and sorting then is several times as fast.
 */
function unindexed(key: (typeof ORDER)[DeviceSort]) {
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
    for (const row of rows) found.set(row.device_id, toRecord(row as RecordRow));
  }
  return deviceIds.flatMap((deviceId) => found.get(deviceId) ?? []);
}

export function recordRows(db: StoreDb) {
  return db
    .selectFrom('device')
    .leftJoin('device_group', 'device_group.serialno', 'device.device_group')
    .selectAll('device')
    .select('device_group.name as group_name');
}

export function inScope(is: ExpressionBuilder<Schema, 'device'>, { groups, ungrouped }: DeviceScope) {
  // One look at each device: an `or` is two searches in the embedded database, whose finds it has to match up.
  if (ungrouped) return is(sql<number>`coalesce(device.device_group, ${NO_GROUP})`, 'in', [NO_GROUP, ...groups]);
  return groups.length === 0 ? sql<SqlBool>`1 = 0` : is('device.device_group', 'in', groups);
}

/** Numbers of groups begin at 1. */
const NO_GROUP = 0;

function matches(is: ExpressionBuilder<Schema, 'device'>, query: DeviceListQuery) {
  const { search, disabled, edition, registered } = query;
  return is.and([
    inScope(is, query),
    ...wordsOf(search).map((word) => sql<SqlBool>`device.search_key like ${`%${word}%`} escape '\\'`),
    ...(disabled === undefined ? [] : [is('device.disabled', '=', disabled ? 1 : 0)]),
    ...(edition === undefined ? [] : [is('device.edition', '=', edition)]),
    ...(registered === undefined ? [] : [is('device.adopted_terminal_id', registered ? 'is not' : 'is', null)]),
  ]);
}

const MAX_WORDS = 5;

/** As patterns of LIKE, without their own wildcards. */
function wordsOf(search: string): string[] {
  const words = searchKey(search).split(/\s+/).filter(Boolean);
  return words.slice(0, MAX_WORDS).map((word) => word.replace(/[\\%_]/g, '\\$&'));
}
