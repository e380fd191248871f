// Deleting positions, and what was made of them, that are past their retention or of devices that are gone: some rows a statement, found by the index over
// incarnation and time, so that the database's one thread is never held for long.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import type { PositionPlace } from './blocks/storedPosition.ts';
import { hasTraces, removeTraces, withTraces } from './reportTraces.ts';

export type { PositionPlace } from './blocks/storedPosition.ts';

export interface ReportingDevice {
  readonly incarnation: number;
  readonly deviceGroup: number | undefined;
}

interface FutureScan {
  /** Positions dated from here on. */
  readonly fromMs: number;
  /** Those of them that were received before this moment are deleted. */
  readonly receivedBeforeMs: number;
  /** Where the part before this one ended. */
  readonly after: PositionPlace | undefined;
  /** So many are looked through. */
  readonly limit: number;
}

interface OldBlocks {
  readonly beforeMs: number;
  /** Times from here on are in the future. */
  readonly futureMs: number;
}

export interface ReportRemovalStore {
  /** Incarnations of devices that are gone and whose reports are not, the first that ended first. */
  ended(limit: number): Promise<number[]>;
  /** How many there are. */
  countEnded(): Promise<number>;
  /** Devices that are there, by incarnation, behind one. */
  devices(afterIncarnation: number, limit: number): Promise<ReportingDevice[]>;
  /** Those of these incarnations that have a position dated before the one moment, or from the other on, or a block of old ones. */
  withPositions(
    incarnations: readonly number[],
    dates: { readonly beforeMs: number; readonly fromMs: number },
  ): Promise<number[]>;
  /** Deletes the first positions of an incarnation, of all or of those dated before a moment. Gives how many. */
  removeFirst(incarnation: number, limit: number, beforeMs?: number): Promise<number>;
  /** Looks through some positions that are dated in the future; gives how many went, and the place to go on from. */
  removeFuture(
    incarnation: number,
    scan: FutureScan,
  ): Promise<{ readonly removed: number; readonly next: PositionPlace | undefined }>;
  /**
   * Deletes some blocks of an incarnation: all, or those of which nothing is dated after a moment. One that is dated in the future goes
   * when all of it was received before the moment. Gives how many positions were in them.
   */
  removeBlocks(incarnation: number, limit: number, old?: OldBlocks): Promise<number>;
  /** Those of these incarnations that have old trips, visits, presences and the like. */
  withTraces(incarnations: readonly number[], beforeMs: number): Promise<number[]>;
  /** Deletes some of those, of all or of what ended before a moment. Gives how many rows. */
  removeTraces(incarnation: number, limit: number, beforeMs?: number): Promise<number>;
  /** Forgets incarnations that ended before a moment and of which nothing is left, neither recordings nor evidence nor orders. */
  forgetEnded(beforeMs: number, limit: number): Promise<number>;
}

export function createReportRemovalStore(db: StoreDb): ReportRemovalStore {
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
    withPositions: (incarnations, dates) => withPositions(db, incarnations, dates),
    removeFirst: async (incarnation, limit, beforeMs) => {
      const all = db.selectFrom('position').select('id').where('incarnation', '=', incarnation);
      const wanted = beforeMs === undefined ? all : all.where('device_time_ms', '<', beforeMs);
      const first = wanted.orderBy('device_time_ms').orderBy('id').limit(limit);
      const { numDeletedRows } = await db.deleteFrom('position').where('id', 'in', first).executeTakeFirst();
      return Number(numDeletedRows);
    },
    removeFuture: (incarnation, scan) => removeFuture(db, incarnation, scan),
    removeBlocks: (incarnation, limit, old) => removeBlocks(db, { incarnation, limit }, old),
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
  { beforeMs, fromMs }: { readonly beforeMs: number; readonly fromMs: number },
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
      const block = sql<boolean>`exists (select 1 from position_block as b where b.incarnation = device.incarnation
        and ${oldBlock({ beforeMs, futureMs: fromMs })})`;
      return or([dated('<', beforeMs), dated('>=', fromMs), block]);
    })
    .execute();
  return rows.map((row) => row.incarnation);
}

/** Of a block called `b`. */
function oldBlock({ beforeMs, futureMs }: OldBlocks) {
  return sql<boolean>`(b.to_ms < ${beforeMs} or (b.to_ms >= ${futureMs} and b.received_to_ms < ${beforeMs}))`;
}

async function removeBlocks(
  db: StoreDb,
  { incarnation, limit }: { readonly incarnation: number; readonly limit: number },
  old: OldBlocks | undefined,
): Promise<number> {
  const blocks = db
    .selectFrom('position_block as b')
    .select(['b.id', 'b.count'])
    .where('b.incarnation', '=', incarnation);
  const wanted = old === undefined ? blocks : blocks.where(oldBlock(old));
  const found = await wanted.orderBy('b.to_ms').limit(limit).execute();
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  await db.deleteFrom('position_block').where('id', 'in', ids).execute();
  return found.reduce((sum, { count }) => sum + count, 0);
}

async function removeFuture(db: StoreDb, incarnation: number, { fromMs, receivedBeforeMs, after, limit }: FutureScan) {
  const rows = await db
    .selectFrom('position')
    .select(['id', 'device_time_ms', 'received_at_ms'])
    .where('incarnation', '=', incarnation)
    .where('device_time_ms', '>=', after?.deviceTimeMs ?? fromMs)
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
