// Moves positions from rows into blocks. reportRemoval.ts deletes blocks by age, and blockTrimming.ts takes old positions out of them.
import { type Insertable, sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { blockBehind, blockEnded, blockHolding } from './blockLookup.ts';
import { encodeBlock, MAX_BLOCK_POSITIONS, positionsOf, readBlock } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { MAX_BLOCK_SPAN_MS, splitPositions } from './blocks/splitting.ts';
import { comparePlaces, type StoredPosition } from './blocks/storedPosition.ts';
import { newestRow } from './newestPosition.ts';
import { storedOf } from './positionRows.ts';
import { distinctPositions } from './repeatedPositions.ts';
import type { PositionBlockTable } from './tables.ts';

export interface PackingDates {
  /** Positions dated before this are packed. */
  readonly beforeMs: number;
  /** Positions dated from here on are from a clock that is ahead: they are packed if they were received before `beforeMs`. */
  readonly futureMs: number;
  /** Time by the gateway's clock. */
  readonly nowMs: number;
}

export interface PartDates extends PackingDates {
  /** Positions dated before this time stay: the last part said so. */
  readonly fromMs: number;
}

export interface PackedPart {
  readonly positions: number;
  readonly blocks: number;
  /** Where to look for the next part. Undefined: none is left, or the positions were deleted meanwhile. */
  readonly nextFromMs: number | undefined;
}

export interface PositionPackingStore {
  /** Devices after the given one that have positions to pack. */
  due(afterIncarnation: number, limit: number, dates: PackingDates): Promise<number[]>;
  /**
   * Packs the first due rows of a device, at most `limit`, in one transaction. Its newest position stays a row, and so do positions that
   * belong into a damaged block, which is not changed.
   */
  packFirst(incarnation: number, limit: number, dates: PartDates): Promise<PackedPart>;
}

const NOTHING: PackedPart = { positions: 0, blocks: 0, nextFromMs: undefined };

/** `reading`: positions and blocks are read there, so that the writing thread only writes. */
export function createPositionPackingStore(
  db: StoreDb,
  reading: StoreDb,
  onDamagedBlock: OnDamagedBlock,
): PositionPackingStore {
  return {
    due: (afterIncarnation, limit, dates) => due(reading, { afterIncarnation, limit }, dates),
    packFirst: async (incarnation, limit, dates) => {
      const rows = await rowsToPack(reading, { incarnation, limit }, dates);
      if (rows.length === 0) return NOTHING;
      const plan = await planFor(reading, { incarnation, rows }, onDamagedBlock);
      if ('nextFromMs' in plan) return { positions: 0, blocks: 0, nextFromMs: plan.nextFromMs };
      const blocks = await Promise.all(plan.blocks.map((positions) => blockRowOf(incarnation, positions)));
      const isDone = await replace(db, { rows: plan.rows, repaired: plan.repaired, blocks });
      return isDone ? { positions: plan.rows.length, blocks: blocks.length, nextFromMs: dates.fromMs } : NOTHING;
    },
  };
}

interface DuePage {
  readonly afterIncarnation: number;
  readonly limit: number;
}

/** Takes some index lookups for each device. */
async function due(db: StoreDb, { afterIncarnation, limit }: DuePage, { beforeMs, futureMs, nowMs }: PackingDates) {
  const of = sql`from position as p where p.incarnation = d.incarnation`;
  const newest = newestRow(sql.ref('d.incarnation'), nowMs);
  const oldest = sql`(select p.id ${of} and p.device_time_ms < ${beforeMs} order by p.device_time_ms, p.id limit 1)`;
  const ahead = sql`(select p.received_at_ms ${of} and p.device_time_ms >= ${futureMs} and p.id <> ${newest}
    order by p.device_time_ms, p.id limit 1)`;
  const { rows } = await sql<{ incarnation: number }>`select d.incarnation from device as d
    where d.incarnation > ${afterIncarnation} and (${oldest} <> ${newest} or ${ahead} < ${beforeMs})
    order by d.incarnation limit ${limit}`.execute(db);
  return rows.map(({ incarnation }) => Number(incarnation));
}

async function rowsToPack(
  db: StoreDb,
  { incarnation, limit }: { readonly incarnation: number; readonly limit: number },
  { beforeMs, futureMs, nowMs, fromMs }: PartDates,
): Promise<StoredPosition[]> {
  const newest = newestRow(sql<number>`cast(${incarnation} as bigint)`, nowMs);
  const older = db
    .selectFrom('position')
    .selectAll()
    .where('incarnation', '=', incarnation)
    .where('id', '<>', newest)
    .where('device_time_ms', '>=', fromMs)
    .orderBy('device_time_ms')
    .orderBy('id')
    .limit(limit);
  const past = await older.where('device_time_ms', '<', beforeMs).execute();
  if (past.length > 0) return past.map(storedOf);
  const ahead = older.where('device_time_ms', '>=', futureMs).where('received_at_ms', '<', beforeMs);
  return (await ahead.execute()).map(storedOf);
}

interface Plan {
  readonly rows: readonly StoredPosition[];
  /** The block that the new ones replace. */
  readonly repaired: number | undefined;
  readonly blocks: readonly (readonly StoredPosition[])[];
}

interface RowsToPlan {
  readonly incarnation: number;
  readonly rows: readonly StoredPosition[];
}

/** The rows belong into a damaged block; rows from `nextFromMs` on don't. */
interface Passed {
  readonly nextFromMs: number;
}

/** Plans what happens to the rows between the begins of two blocks, and to the first of these blocks. */
async function planFor(
  db: StoreDb,
  { incarnation, rows }: RowsToPlan,
  onDamagedBlock: OnDamagedBlock,
): Promise<Plan | Passed> {
  const { deviceTimeMs: firstMs } = rows[0] ?? { deviceTimeMs: 0 };
  const { here, nextFromMs } = await blocksAround(db, incarnation, firstMs);
  const own = rows.filter(({ deviceTimeMs }) => deviceTimeMs < nextFromMs);
  const isAppended = here === undefined || firstMs > here.to_ms;
  const apart: Plan = { rows: own, repaired: undefined, blocks: splitPositions(distinctPositions(own), true) };
  if (here === undefined || !takes(here, firstMs)) return apart;
  const opened = await readBlock(here.data);
  if (!opened.ok) {
    onDamagedBlock({ id: here.id, incarnation, why: opened.why });
    return isAppended ? apart : { nextFromMs: Math.min(here.to_ms + 1, nextFromMs) };
  }
  const together = [...positionsOf(opened.value), ...own];
  const all = isAppended ? together : together.sort(comparePlaces);
  return { rows: own, repaired: here.id, blocks: splitPositions(distinctPositions(all), isAppended) };
}

/** The block that contains a moment, or else the last one that ended before it, and the begin of the next one. */
async function blocksAround(db: StoreDb, incarnation: number, atMs: number) {
  const holding = await blockHolding(db, incarnation, atMs).executeTakeFirst();
  const here = holding ?? (await blockEnded(db, incarnation, atMs).executeTakeFirst());
  const next = await blockBehind(db, incarnation, atMs).executeTakeFirst();
  return { here, nextFromMs: next?.from_ms ?? Number.POSITIVE_INFINITY };
}

type BlockExtent = Pick<PositionBlockTable, 'from_ms' | 'to_ms' | 'count'>;

/** The time is within the block, or the block has room after its end. */
function takes({ from_ms: fromMs, to_ms: toMs, count }: BlockExtent, firstMs: number): boolean {
  return firstMs <= toMs || (count < MAX_BLOCK_POSITIONS && firstMs - fromMs <= MAX_BLOCK_SPAN_MS);
}

/** The row of a block with these positions, in their order. */
export async function blockRowOf(
  incarnation: number,
  positions: readonly StoredPosition[],
): Promise<Insertable<PositionBlockTable>> {
  const [first, last] = [positions[0], positions.at(-1)];
  const placed = positions.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  const [south, north] = boundsOf(placed.map(({ latitude }) => latitude));
  const [west, east] = boundsOf(placed.map(({ longitude }) => longitude));
  return {
    incarnation,
    from_ms: first?.deviceTimeMs ?? 0,
    to_ms: last?.deviceTimeMs ?? 0,
    received_from_ms: Math.max(0, Math.min(...positions.map(({ receivedAtMs }) => receivedAtMs))),
    received_to_ms: positions.reduce((latest, { receivedAtMs }) => Math.max(latest, receivedAtMs), 0),
    count: positions.length,
    south,
    west,
    north,
    east,
    data: await encodeBlock(positions),
  };
}

/** Without values, the lower bound is above the upper one. */
function boundsOf(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [1, -1];
  return [
    values.reduce((lowest, value) => Math.min(lowest, value)),
    values.reduce((highest, value) => Math.max(highest, value)),
  ];
}

interface Replacement {
  readonly rows: readonly StoredPosition[];
  readonly repaired: number | undefined;
  readonly blocks: readonly Insertable<PositionBlockTable>[];
}

class Outdated extends Error {
  override readonly name = 'Outdated';
}

/** Replaces everything or nothing: rows or a block that are missing were deleted by age, and must not come back. */
async function replace(db: StoreDb, { rows, repaired, blocks }: Replacement): Promise<boolean> {
  const ids = rows.map(({ id }) => id);
  try {
    await db.transaction().execute(async (work) => {
      const { numDeletedRows } = await work.deleteFrom('position').where('id', 'in', ids).executeTakeFirst();
      if (Number(numDeletedRows) !== ids.length) throw new Outdated();
      if (repaired !== undefined) {
        const old = await work.deleteFrom('position_block').where('id', '=', repaired).executeTakeFirst();
        if (Number(old.numDeletedRows) !== 1) throw new Outdated();
      }
      for (const block of blocks) await work.insertInto('position_block').values(block).execute();
    });
    return true;
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
}
