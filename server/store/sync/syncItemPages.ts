// Items of data sync as a member group sees them: of its present devices that are not disabled.
import { sql } from 'kysely';
import type { SYNC_ITEM_SORTS } from '../../../shared/protocol/api/sync/sync.ts';
import type { SyncItemAct, SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, numberColumn, type PageRequest, type SortKey } from '../engine/listPage.ts';
import { type StoredSyncItem, stateNumber, toItem } from './syncItemRows.ts';

type SyncItemSort = (typeof SYNC_ITEM_SORTS)[number];

interface SyncItemQuery extends PageRequest<SyncItemSort> {
  readonly memberGroup: number;
  readonly search: string;
  readonly state: SyncItemState | undefined;
  readonly rule: number | undefined;
  readonly deviceId: string | undefined;
}

/** An item with the other fields that are shown. */
export interface ShownSyncItem extends StoredSyncItem {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
  /** '' where the rule belongs to another member group. */
  readonly ruleName: string;
}

/** A device that the member group has. */
export interface SyncReachDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveId: string;
  readonly timeZone: string;
  readonly addedAtMs: number;
  readonly chn: number;
  readonly installchs: string;
}

export interface SyncItemPageStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: SyncItemQuery): Promise<FoundPage<ShownSyncItem> | undefined>;
  /** The items among these that the member group sees. */
  some(ids: readonly number[], memberGroup: number): Promise<ShownSyncItem[]>;
  /** The number of items of each rule that have not ended. */
  countOpen(rules: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Undefined for a device that the group doesn't have, or that is disabled. */
  device(deviceId: string, memberGroup: number): Promise<SyncReachDevice | undefined>;
  /** Retries, resumes or moves items; see `SyncItemAct`. Affects only items in a state that the act applies to. */
  act(ids: readonly number[], act: Exclude<SyncItemAct, 'cancel' | 'pause'>, at: ActPlace): Promise<number>;
}

interface ActPlace {
  readonly atMs: number;
  /** Position of the first of the items, for acts that move them. */
  readonly position: number;
}

export function createSyncItemPageStore(db: StoreDb, reading: StoreDb): SyncItemPageStore {
  return {
    page: async (query) => {
      const { sort } = query;
      const keys = [...ORDER[sort], numberColumn('sync_item.id')];
      return listPage(reading, { rows: rowsOf(reading, query), keys }, query).then(
        (page) => page && { ...page, rows: page.rows.map(toShown) },
      );
    },
    some: async (ids, memberGroup) => {
      if (ids.length === 0) return [];
      const rows = visible(db, memberGroup).where('sync_item.id', 'in', [...ids]);
      return (await rows.orderBy('sync_item.position').orderBy('sync_item.id').execute()).map(toShown);
    },
    countOpen: async (rules) => {
      if (rules.length === 0) return new Map();
      const rows = await reading
        .selectFrom('sync_item')
        .select(['rule', sql<number>`count(*)`.as('count')])
        .where('is_ended', '=', 0)
        .where('rule', 'in', [...rules])
        .groupBy('rule')
        .execute();
      return new Map(rows.map((row) => [row.rule ?? 0, Number(row.count)]));
    },
    device: (deviceId, memberGroup) => deviceOf(db, deviceId, memberGroup),
    act: async (ids, act, place) => {
      let acted = 0;
      for (const [at, id] of ids.entries())
        acted += await actOn(db, { id, act, ...place, position: place.position + at });
      return acted;
    },
  };
}

/** Open items in the order in which they are fetched, then the ended ones. */
const ORDER = {
  order: [numberColumn('sync_item.is_ended'), numberColumn('sync_item.position')],
  fromMs: [numberColumn('sync_item.from_ms')],
  changedAtMs: [numberColumn('sync_item.changed_at_ms')],
} as const satisfies Record<SyncItemSort, readonly SortKey[]>;

function visible(db: StoreDb, memberGroup: number) {
  return db
    .selectFrom('sync_item')
    .innerJoin('device', 'device.incarnation', 'sync_item.incarnation')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .leftJoin('sync_rule as rule_of', (join) =>
      join.onRef('rule_of.id', '=', 'sync_item.rule').on('rule_of.member_group', '=', memberGroup),
    )
    .selectAll('sync_item')
    .select([
      'device.device_id',
      'device.name',
      'device.plate',
      sql<string>`coalesce(rule_of.name, '')`.as('rule_name'),
    ])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0);
}

function rowsOf(db: StoreDb, { memberGroup, search, state, rule, deviceId }: SyncItemQuery) {
  let rows = visible(db, memberGroup);
  if (state !== undefined) rows = rows.where('sync_item.state', '=', stateNumber(state));
  if (rule !== undefined) rows = rows.where('sync_item.rule', '=', rule);
  if (deviceId !== undefined) rows = rows.where('device.device_id', '=', deviceId);
  const found = searchIn(['device.device_id', 'device.name', 'device.plate', 'sync_item.requested_by'], search);
  return found === undefined ? rows : rows.where(found);
}

type ShownRow = Awaited<ReturnType<ReturnType<typeof visible>['execute']>>[number];

function toShown(row: ShownRow): ShownSyncItem {
  const { device_id: deviceId, name, plate, rule_name: ruleName } = row;
  return { ...toItem(row), deviceId, name, plate, ruleName };
}

async function deviceOf(db: StoreDb, deviceId: string, memberGroup: number): Promise<SyncReachDevice | undefined> {
  const row = await db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.device_id', 'device.incarnation', 'device.archive_id', 'device.time_zone'])
    .select(['device.chn', 'device.installchs', 'device.created_at_ms'])
    .where('device.device_id', '=', deviceId)
    .where('device.disabled', '=', 0)
    .where('owns.member_group', '=', memberGroup)
    .executeTakeFirst();
  return (
    row && {
      deviceId: row.device_id,
      incarnation: row.incarnation,
      archiveId: row.archive_id,
      timeZone: row.time_zone,
      addedAtMs: row.created_at_ms,
      chn: row.chn,
      installchs: row.installchs,
    }
  );
}

interface OneAct extends ActPlace {
  readonly id: number;
  readonly act: Exclude<SyncItemAct, 'cancel' | 'pause'>;
}

async function actOn(db: StoreDb, { id, act, atMs, position }: OneAct): Promise<number> {
  const planned = { state: stateNumber('planned'), is_ended: 0, wait: '', next_at_ms: 0, changed_at_ms: atMs };
  const item = db.updateTable('sync_item').where('id', '=', id);
  const numbers = (...states: SyncItemState[]) => states.map(stateNumber);
  switch (act) {
    case 'resume':
      return updated(item.set(planned).where('state', 'in', numbers('paused')));
    case 'retry':
      return updated(
        item
          .set({ ...planned, fault: '', attempts: 0, method: '' })
          .where('state', 'in', numbers('failed', 'lost', 'canceled', 'waiting', 'planned')),
      );
    case 'first':
    case 'last':
      return updated(item.set({ position, changed_at_ms: atMs }).where('is_ended', '=', 0));
  }
}

async function updated(update: { executeTakeFirst(): Promise<{ readonly numUpdatedRows: bigint }> }): Promise<number> {
  return Number((await update.executeTakeFirst()).numUpdatedRows);
}
