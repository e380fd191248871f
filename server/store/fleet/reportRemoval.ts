// Deleting positions, and data derived from them, that are past their retention or of devices that are gone: some rows a statement, found
// by the index over incarnation and time, so that the database's single thread is never blocked for long.
import type { StoreDb } from '../engine/database.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import type { PositionPlace } from './blocks/storedPosition.ts';
import { type TrimmedBlock, type Trimming, trimBlock } from './blockTrimming.ts';
import { rowsBetween } from './positionRows.ts';
import { hasTraces, removeTraces, withTraces } from './reportTraces.ts';

export type { PositionPlace } from './blocks/storedPosition.ts';

export interface ReportingDevice {
  readonly incarnation: number;
  readonly deviceGroup: number | undefined;
}

/** A stretch of the device's clock that is searched for positions of an age. */
interface DatedScan {
  /** Half open, by the device's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Positions of the stretch that were received before this moment are deleted. */
  readonly receivedBeforeMs: number;
  /** Where the part before this one ended. */
  readonly after: PositionPlace | undefined;
  /** Maximum number of positions to look through. */
  readonly limit: number;
}

/** The limits of retention, by the gateway's clock. */
interface Expiry {
  readonly receivedBeforeMs: number;
  /** Positions dated from here on by the device's clock are from a clock that is ahead. */
  readonly futureMs: number;
  /** Blocks that began before this keep some positions for too long. */
  readonly startedBeforeMs: number;
}

export interface ReportRemovalStore {
  /** Incarnations of deleted devices that still have reports, the first that ended first. */
  ended(limit: number): Promise<number[]>;
  /** How many such incarnations there are. */
  countEnded(): Promise<number>;
  /** Existing devices, ordered by incarnation, after the given one. */
  devices(afterIncarnation: number, limit: number): Promise<ReportingDevice[]>;
  /** The incarnations among these that may have positions past their retention. */
  withPositions(incarnations: readonly number[], expiry: Expiry): Promise<number[]>;
  /** Deletes the first positions of an incarnation by the device's clock. Gives how many. */
  removeFirst(incarnation: number, limit: number): Promise<number>;
  /**
   * Looks through some positions; gives how many were deleted, and the place to continue from. A position that a terminal dates years back
   * may have just arrived, so its time only says where to look.
   */
  removeReceived(
    incarnation: number,
    scan: DatedScan,
  ): Promise<{ readonly removed: number; readonly next: PositionPlace | undefined }>;
  /**
   * Deletes some blocks of an incarnation: any of them, or only those received completely before a moment. Gives how many positions they
   * had.
   */
  removeBlocks(incarnation: number, limit: number, receivedBeforeMs?: number): Promise<number>;
  /** Takes old positions out of one block with younger ones. Undefined: there is none. */
  trimBlock(incarnation: number, trimming: Trimming): Promise<TrimmedBlock | undefined>;
  /** The incarnations among these that have old trips, visits, presences and the like. */
  withTraces(incarnations: readonly number[], beforeMs: number): Promise<number[]>;
  /** Deletes some of these rows: any of them, or only those that ended before a moment. Gives how many. */
  removeTraces(incarnation: number, limit: number, beforeMs?: number): Promise<number>;
  /** Deletes incarnations that ended before a moment and have nothing left, neither recordings nor evidence nor orders. */
  forgetEnded(beforeMs: number, limit: number): Promise<number>;
}

export function createReportRemovalStore(db: StoreDb, onDamagedBlock: OnDamagedBlock): ReportRemovalStore {
  return {
    ended: async (limit) => {
      const rows = await endedWithReports(db)
        .select('gone.incarnation')
        .orderBy('gone.ended_at_ms')
        .limit(limit)
        .execute();
      return rows.map((row) => row.incarnation);
    },
    countEnded: async () => {
      const counted = endedWithReports(db).select(({ fn }) => fn.countAll<number>().as('count'));
      return Number((await counted.executeTakeFirstOrThrow()).count);
    },
    devices: async (afterIncarnation, limit) => {
      const rows = await db
        .selectFrom('device')
        .select(['incarnation', 'device_group'])
        .where('incarnation', '>', afterIncarnation)
        .orderBy('incarnation')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ incarnation: row.incarnation, deviceGroup: row.device_group ?? undefined }));
    },
    withPositions: (incarnations, expiry) => withPositions(db, incarnations, expiry),
    removeFirst: async (incarnation, limit) => {
      const all = db.selectFrom('position').select('id').where('incarnation', '=', incarnation);
      const first = all.orderBy('device_time_ms').orderBy('id').limit(limit);
      const { numDeletedRows } = await db.deleteFrom('position').where('id', 'in', first).executeTakeFirst();
      return Number(numDeletedRows);
    },
    removeReceived: (incarnation, scan) => removeReceived(db, incarnation, scan),
    removeBlocks: (incarnation, limit, beforeMs) => removeBlocks(db, { incarnation, limit }, beforeMs),
    trimBlock: (incarnation, trimming) => trimBlock(db, { incarnation, onDamagedBlock }, trimming),
    withTraces: (incarnations, beforeMs) => withTraces(db, incarnations, beforeMs),
    removeTraces: (incarnation, limit, beforeMs) => removeTraces(db, incarnation, { limit, beforeMs }),
    forgetEnded: (beforeMs, limit) => forgetEnded(db, beforeMs, limit),
  };
}

function endedWithReports(db: StoreDb) {
  return db
    .selectFrom('device_incarnation as gone')
    .where('gone.ended_at_ms', '>', 0)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('position').select('position.id').whereRef('position.incarnation', '=', 'gone.incarnation')),
        exists(
          selectFrom('position_block')
            .select('position_block.id')
            .whereRef('position_block.incarnation', '=', 'gone.incarnation'),
        ),
        hasTraces(),
      ]),
    );
}

async function withPositions(
  db: StoreDb,
  incarnations: readonly number[],
  { receivedBeforeMs, futureMs, startedBeforeMs }: Expiry,
): Promise<number[]> {
  if (incarnations.length === 0) return [];
  const rows = await db
    .selectFrom('device')
    .select('device.incarnation')
    .where('device.incarnation', 'in', incarnations)
    .where(({ or, exists, selectFrom }) => {
      const positions = selectFrom('position')
        .select('position.id')
        .whereRef('position.incarnation', '=', 'device.incarnation');
      const dated = (operator: '<' | '>=', atMs: number) =>
        exists(positions.where('position.device_time_ms', operator, atMs));
      const blocks = selectFrom('position_block as b')
        .select('b.id')
        .whereRef('b.incarnation', '=', 'device.incarnation');
      return or([
        dated('<', receivedBeforeMs),
        dated('>=', futureMs),
        exists(blocks.where('b.received_to_ms', '<', receivedBeforeMs)),
        exists(blocks.where('b.received_from_ms', '>', 0).where('b.received_from_ms', '<', startedBeforeMs)),
      ]);
    })
    .execute();
  return rows.map((row) => row.incarnation);
}

async function removeBlocks(
  db: StoreDb,
  { incarnation, limit }: { readonly incarnation: number; readonly limit: number },
  receivedBeforeMs: number | undefined,
): Promise<number> {
  const blocks = db.selectFrom('position_block').select(['id', 'count']).where('incarnation', '=', incarnation);
  const wanted = receivedBeforeMs === undefined ? blocks : blocks.where('received_to_ms', '<', receivedBeforeMs);
  const found = await wanted.orderBy('received_to_ms').limit(limit).execute();
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  await db.deleteFrom('position_block').where('id', 'in', ids).execute();
  return found.reduce((sum, { count }) => sum + count, 0);
}

async function removeReceived(db: StoreDb, incarnation: number, scan: DatedScan) {
  const { fromMs, toMs, receivedBeforeMs, after, limit } = scan;
  const rows = await rowsBetween(db, incarnation, { fromMs: after?.deviceTimeMs ?? fromMs, toMs })
    .select(['id', 'device_time_ms', 'received_at_ms'])
    .where(({ or, eb }) =>
      after === undefined ? eb.lit(true) : or([eb('device_time_ms', '>', after.deviceTimeMs), eb('id', '>', after.id)]),
    )
    .orderBy('device_time_ms')
    .orderBy('id')
    .limit(limit)
    .execute();
  const old = rows.filter((row) => row.received_at_ms < receivedBeforeMs).map((row) => row.id);
  if (old.length > 0) await db.deleteFrom('position').where('id', 'in', old).execute();
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { removed: old.length, next: last && { deviceTimeMs: last.device_time_ms, id: last.id } };
}

async function forgetEnded(db: StoreDb, beforeMs: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('device_incarnation as gone')
    .select('gone.incarnation')
    .where('gone.ended_at_ms', '>', 0)
    .where('gone.ended_at_ms', '<', beforeMs)
    .where(({ not, exists, selectFrom }) => {
      const none = (table: 'segment' | 'evidence_hold' | 'recording_removal') =>
        not(exists(selectFrom(table).select('archive_id').whereRef(`${table}.archive_id`, '=', 'gone.archive_id')));
      const positions = selectFrom('position').select('id').whereRef('position.incarnation', '=', 'gone.incarnation');
      const events = selectFrom('event').select('id').whereRef('event.archive_number', '=', 'gone.archive_number');
      const orders = selectFrom('device_order')
        .select('id')
        .whereRef('device_order.incarnation', '=', 'gone.incarnation');
      const blocks = selectFrom('position_block')
        .select('id')
        .whereRef('position_block.incarnation', '=', 'gone.incarnation');
      const isEmpty = not(exists(positions))
        .and(not(exists(blocks)))
        .and(not(hasTraces()))
        .and(not(exists(orders)))
        .and(not(exists(events)));
      return isEmpty.and(none('segment')).and(none('evidence_hold')).and(none('recording_removal'));
    })
    .limit(limit)
    .execute();
  const incarnations = rows.map((row) => row.incarnation);
  if (incarnations.length === 0) return 0;
  await db.deleteFrom('device_incarnation').where('incarnation', 'in', incarnations).execute();
  return incarnations.length;
}
