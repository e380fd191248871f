// The only module that writes `sync_item`: what is fetched from devices, until some time after it has ended.
import { sql } from 'kysely';
import { MAX_SYNC_ITEMS_OF_DEVICE } from '../../../shared/protocol/api/sync/sync.ts';
import type { SyncItemState } from '../../../shared/protocol/sync/syncWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import {
  columnsOfChange,
  columnsOfNew,
  hasEnded,
  type NewSyncItem,
  type StoredSyncItem,
  type SyncItemChange,
  stateColumns,
  stateNumber,
  toItem,
} from './syncItemRows.ts';

interface SyncSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What already is, or was, an item of a device. */
export interface TakenSpan extends SyncSpan {
  readonly id: number;
  readonly channel: number;
  readonly state: StoredSyncItem['state'];
  readonly fault: StoredSyncItem['fault'];
  readonly rule: number | undefined;
}

interface KeptFile {
  readonly item: number;
  readonly memberGroup: number;
  readonly name: string;
  readonly changedAtMs: number;
}

/** Items of a device that have not ended and have a moment in the span. */
interface OpenSpan extends SyncSpan {
  readonly incarnation: number;
  readonly channels: readonly number[];
}

type SyncAsker = Pick<NewSyncItem, 'memberGroup' | 'requestedBy' | 'position'>;

/** `notOf`: rules. `dueMs`: none whose next attempt is later. */
interface OnlyItems {
  readonly notOf: readonly number[];
  readonly dueMs: number;
}

interface ReceivedOfDay {
  readonly rule: number;
  readonly incarnation: number;
  /** When the day began where the device is. */
  readonly dayMs: number;
  readonly bytes: number;
}

export interface SyncItemStore {
  /** All of one device. Those beyond what a device may have open are left out; gives the ids of the others. */
  add(items: readonly NewSyncItem[], atMs: number): Promise<number[]>;
  find(id: number): Promise<StoredSyncItem | undefined>;
  /** False when it has ended meanwhile, or is in none of the states that it is changed from; without them it may be in any. */
  change(id: number, change: SyncItemChange, atMs: number, from?: readonly SyncItemState[]): Promise<boolean>;
  /** Devices with items that have not ended. */
  devicesWithOpen(): Promise<number[]>;
  /** The device's planned and waiting ones, in their order. */
  next(incarnation: number, limit: number, only?: OnlyItems): Promise<StoredSyncItem[]>;
  /** Items of the device with a moment in the span, ended ones too. */
  taken(incarnation: number, span: SyncSpan): Promise<TakenSpan[]>;
  /**
   * Puts items behind the position of who asks for them there, and makes those of rules the asker's own: the rule's hours and
   * limits, and its changes, would hold back or drop what was asked for. Gives how many it concerns.
   */
  bringForward(items: OpenSpan, by: SyncAsker, atMs: number): Promise<number>;
  /** What was under way when the gateway ended is planned again. */
  restart(atMs: number): Promise<void>;
  /** Deletes what a rule has planned and nothing was fetched of. Gives how many. */
  dropPlanned(rule: number): Promise<number>;
  /** What was noted as received for a rule from a device on the day that began then. */
  receivedSince(rule: number, incarnation: number, dayMs: number): Promise<number>;
  noteReceived(received: ReceivedOfDay): Promise<void>;
  /** The oldest first. */
  keptFiles(): Promise<KeptFile[]>;
  /** Its file was deleted. */
  clearFile(id: number): Promise<void>;
  /** All but those of these rules. */
  removeEnded(beforeMs: number, exceptRules?: readonly number[]): Promise<void>;
  removeEndedOf(rule: number, beforeMs: number): Promise<void>;
  /** The least and the greatest of all that are open; 0 where there are none. */
  positions(): Promise<{ readonly least: number; readonly greatest: number }>;
}

/** Items of a device that have not ended. Further ones are planned once there is room. */
export const SYNC_ITEMS_LIMIT: Limit = { name: 'sync.items.device', max: MAX_SYNC_ITEMS_OF_DEVICE };

/** A row has 17 parameters; SQLite takes 32,766 a statement. */
const ROWS_PER_STATEMENT = 500;
const WAITING = [stateNumber('planned'), stateNumber('waiting')];
const UNDER_WAY = [stateNumber('requested'), stateNumber('running'), stateNumber('checking')];

export function createSyncItemStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): SyncItemStore {
  return {
    ...openItems(db),
    ...endedItems(db),
    add: (items, atMs) => addItems(db, { items, atMs, onLimit }),
    find: async (id) => {
      const row = await db.selectFrom('sync_item').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toItem(row);
    },
    change: async (id, change, atMs, from) => {
      const columns = { ...columnsOfChange(change), changed_at_ms: atMs };
      const open = db.updateTable('sync_item').set(columns).where('id', '=', id).where('is_ended', '=', 0);
      const update = from === undefined ? open : open.where('state', 'in', from.map(stateNumber));
      return (await update.executeTakeFirst()).numUpdatedRows > 0n;
    },
    taken: async (incarnation, { fromMs, toMs }) => {
      const rows = await reading
        .selectFrom('sync_item')
        .selectAll()
        .where('incarnation', '=', incarnation)
        .where('from_ms', '<', toMs)
        .where('to_ms', '>', fromMs)
        .orderBy('channel')
        .orderBy('from_ms')
        .execute();
      return rows.map(toItem);
    },
    receivedSince: async (rule, incarnation, dayMs) => {
      const row = await db
        .selectFrom('sync_received')
        .select('bytes')
        .where('incarnation', '=', incarnation)
        .where('rule', '=', rule)
        .where('day_ms', '=', dayMs)
        .executeTakeFirst();
      return Number(row?.bytes ?? 0);
    },
    noteReceived: (received) => noteReceived(db, received),
  };
}

/** Nothing for a rule or a device that was deleted meanwhile. */
async function noteReceived(db: StoreDb, { rule, incarnation, dayMs, bytes }: ReceivedOfDay): Promise<void> {
  await sql`insert into sync_received (rule, incarnation, day_ms, bytes)
    select r.id, d.incarnation, cast(${dayMs} as bigint), cast(${bytes} as bigint)
    from sync_rule as r cross join device_incarnation as d where r.id = ${rule} and d.incarnation = ${incarnation}
    on conflict (rule, incarnation) do update set
      bytes = excluded.bytes + case when sync_received.day_ms = excluded.day_ms then sync_received.bytes else 0 end,
      day_ms = excluded.day_ms`.execute(db);
}

/** What is still to be fetched. */
function openItems(
  db: StoreDb,
): Pick<SyncItemStore, 'devicesWithOpen' | 'next' | 'bringForward' | 'restart' | 'dropPlanned' | 'positions'> {
  return {
    devicesWithOpen: async () => {
      const open = db.selectFrom('sync_item').select('incarnation').distinct().where('is_ended', '=', 0);
      return (await open.execute()).map((row) => row.incarnation);
    },
    next: async (incarnation, limit, only) => {
      let open = db
        .selectFrom('sync_item')
        .selectAll()
        .where('incarnation', '=', incarnation)
        .where('is_ended', '=', 0)
        .where('state', 'in', WAITING);
      if (only !== undefined) open = open.where('next_at_ms', '<=', only.dueMs);
      if (only !== undefined && only.notOf.length > 0)
        open = open.where(({ or, eb }) => or([eb('rule', 'is', null), eb('rule', 'not in', only.notOf)]));
      return (await open.orderBy('position').orderBy('id').limit(limit).execute()).map(toItem);
    },
    bringForward: (items, by, atMs) => bringForward(db, items, { ...by, atMs }),
    restart: async (atMs) => {
      const update = db.updateTable('sync_item').set({ ...stateColumns('planned'), wait: '', changed_at_ms: atMs });
      await update.where('is_ended', '=', 0).where('state', 'in', UNDER_WAY).execute();
    },
    dropPlanned: async (rule) => {
      const planned = db.deleteFrom('sync_item').where('rule', '=', rule).where('is_ended', '=', 0);
      const { numDeletedRows } = await planned
        .where('state', 'in', WAITING)
        .where('received_bytes', '=', 0)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    positions: async () => {
      const row = await db
        .selectFrom('sync_item')
        .select([
          sql<number>`coalesce(min(position), 0)`.as('least'),
          sql<number>`coalesce(max(position), 0)`.as('greatest'),
        ])
        .where('is_ended', '=', 0)
        .executeTakeFirstOrThrow();
      return { least: Number(row.least), greatest: Number(row.greatest) };
    },
  };
}

function bringForward(
  db: StoreDb,
  { incarnation, channels, fromMs, toMs }: OpenSpan,
  { memberGroup, requestedBy, position, atMs }: SyncAsker & { readonly atMs: number },
): Promise<number> {
  return db.transaction().execute(async (work) => {
    const open = work
      .updateTable('sync_item')
      .where('incarnation', '=', incarnation)
      .where('is_ended', '=', 0)
      .where('channel', 'in', [...channels])
      .where('from_ms', '<', toMs)
      .where('to_ms', '>', fromMs);
    const moved = open.set({ position, changed_at_ms: atMs }).where('position', '>', position);
    const asker = { rule: null, member_group: memberGroup, requested_by: requestedBy, changed_at_ms: atMs };
    const counts = [
      await moved.executeTakeFirst(),
      await open.set(asker).where('rule', 'is not', null).executeTakeFirst(),
    ].map(({ numUpdatedRows }) => Number(numUpdatedRows));
    return Math.max(...counts);
  });
}

/** What has ended, and the files that are kept of it. */
function endedItems(db: StoreDb): Pick<SyncItemStore, 'keptFiles' | 'clearFile' | 'removeEnded' | 'removeEndedOf'> {
  const ended = (beforeMs: number) =>
    db.selectFrom('sync_item').select('id').where('changed_at_ms', '<', beforeMs).where('is_ended', '=', 1);
  return {
    keptFiles: async () => {
      const rows = await db
        .selectFrom('sync_item')
        .select(['id', 'member_group', 'file', 'changed_at_ms'])
        .where('file', '<>', '')
        .orderBy('changed_at_ms')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        item: row.id,
        memberGroup: row.member_group,
        name: row.file,
        changedAtMs: row.changed_at_ms,
      }));
    },
    clearFile: async (id) => {
      await db.updateTable('sync_item').set({ file: '' }).where('id', '=', id).execute();
    },
    removeEnded: (beforeMs, exceptRules = []) =>
      deleteInParts((limit) => {
        const old = ended(beforeMs);
        const others =
          exceptRules.length === 0
            ? old
            : old.where((is) => is.or([is('rule', 'is', null), is('rule', 'not in', [...exceptRules])]));
        return db.deleteFrom('sync_item').where('id', 'in', others.limit(limit));
      }),
    removeEndedOf: (rule, beforeMs) =>
      deleteInParts((limit) =>
        db.deleteFrom('sync_item').where('id', 'in', ended(beforeMs).where('rule', '=', rule).limit(limit)),
      ),
  };
}

interface Addition {
  readonly items: readonly NewSyncItem[];
  readonly atMs: number;
  readonly onLimit: OnLimit | undefined;
}

function addItems(db: StoreDb, { items, atMs, onLimit }: Addition): Promise<number[]> {
  const [first] = items;
  if (first === undefined) return Promise.resolve([]);
  return db.transaction().execute(async (work) => {
    const device = work
      .updateTable('device_incarnation')
      .set({ incarnation: first.incarnation })
      .where('incarnation', '=', first.incarnation);
    // Locks it, so that two additions don't count past one another. A device that is gone has nothing to fetch.
    if ((await device.executeTakeFirst()).numUpdatedRows === 0n) return [];
    let room = SYNC_ITEMS_LIMIT.max - (await countOpen(work, first.incarnation));
    // What is recorded as skipped or lost is open for nobody.
    const fitting = items.filter(({ state }) => hasEnded(state) || room-- > 0);
    if (fitting.length < items.length) onLimit?.(SYNC_ITEMS_LIMIT);
    const ids: number[] = [];
    for (let from = 0; from < fitting.length; from += ROWS_PER_STATEMENT) {
      const rows = fitting.slice(from, from + ROWS_PER_STATEMENT).map((item) => columnsOfNew(item, atMs));
      ids.push(...(await work.insertInto('sync_item').values(rows).returning('id').execute()).map(({ id }) => id));
    }
    return ids;
  });
}

async function countOpen(db: StoreDb, incarnation: number): Promise<number> {
  const counted = db.selectFrom('sync_item').select(sql<number>`count(*)`.as('count'));
  const open = counted.where('incarnation', '=', incarnation).where('is_ended', '=', 0);
  return Number((await open.executeTakeFirstOrThrow()).count);
}
