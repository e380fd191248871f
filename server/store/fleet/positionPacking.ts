// Moves positions from rows into blocks. The only module that writes blocks; what deletes them by age is in reportRemoval.ts.
import { type Insertable, sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { encodeBlock, MAX_BLOCK_POSITIONS, positionsOf, readBlock } from './blocks/blockCodec.ts';
import { MAX_BLOCK_SPAN_MS, splitPositions } from './blocks/splitting.ts';
import { comparePlaces, type StoredPosition } from './blocks/storedPosition.ts';
import { storedOf } from './positionRows.ts';
import type { PositionBlockTable } from './tables.ts';

export interface PackingDates {
  /** Positions dated before this are packed. */
  readonly beforeMs: number;
  /** Those dated from here on are of a clock that is ahead: they are packed when they were received before `beforeMs`. */
  readonly futureMs: number;
}

export interface PackedPart {
  readonly positions: number;
  readonly blocks: number;
}

export interface PositionPackingStore {
  /** Devices behind one that have positions to pack. */
  due(afterIncarnation: number, limit: number, dates: PackingDates): Promise<number[]>;
  /**
   * Packs the first rows of a device that are to be, at most so many, in one transaction. Its newest position stays a row. Gives 0
   * positions when none is left, or when they were deleted meanwhile.
   */
  packFirst(incarnation: number, limit: number, dates: PackingDates): Promise<PackedPart>;
}

const NOTHING: PackedPart = { positions: 0, blocks: 0 };

/** `reading`: positions and blocks are read there, so that the one thread that writes only writes. */
export function createPositionPackingStore(db: StoreDb, reading: StoreDb): PositionPackingStore {
  return {
    due: (afterIncarnation, limit, dates) => due(reading, { afterIncarnation, limit }, dates),
    packFirst: async (incarnation, limit, dates) => {
      const rows = await rowsToPack(reading, { incarnation, limit }, dates);
      if (rows.length === 0) return NOTHING;
      const plan = await planFor(reading, incarnation, rows);
      const blocks = await Promise.all(plan.blocks.map((positions) => blockRowOf(incarnation, positions)));
      const isDone = await replace(db, { rows: plan.rows, repaired: plan.repaired, blocks });
      return isDone ? { positions: plan.rows.length, blocks: blocks.length } : NOTHING;
    },
  };
}

interface DuePage {
  readonly afterIncarnation: number;
  readonly limit: number;
}

/** Two looks into the index for each device. */
async function due(db: StoreDb, { afterIncarnation, limit }: DuePage, { beforeMs, futureMs }: PackingDates) {
  const of = sql`from position as p where p.incarnation = d.incarnation`;
  const newest = sql`(select p.id ${of} order by p.device_time_ms desc, p.id desc limit 1)`;
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
  { beforeMs, futureMs }: PackingDates,
): Promise<StoredPosition[]> {
  const newest = db
    .selectFrom('position')
    .select('id')
    .where('incarnation', '=', incarnation)
    .orderBy('device_time_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const older = db
    .selectFrom('position')
    .selectAll()
    .where('incarnation', '=', incarnation)
    .where('id', '<>', newest)
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
  /** The block that the new ones take the place of. */
  readonly repaired: number | undefined;
  readonly blocks: readonly (readonly StoredPosition[])[];
}

/** The rows that belong between one block's beginning and the next one's, and what becomes of them and that block. */
async function planFor(db: StoreDb, incarnation: number, rows: readonly StoredPosition[]): Promise<Plan> {
  const { deviceTimeMs: firstMs } = rows[0] ?? { deviceTimeMs: 0 };
  const blocks = db.selectFrom('position_block').where('incarnation', '=', incarnation);
  const here = await blocks
    .selectAll()
    .where('from_ms', '<=', firstMs)
    .orderBy('from_ms', 'desc')
    .orderBy('to_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const next = await blocks
    .select('from_ms')
    .where('from_ms', '>', firstMs)
    .orderBy('from_ms')
    .limit(1)
    .executeTakeFirst();
  const own = next === undefined ? rows : rows.filter(({ deviceTimeMs }) => deviceTimeMs < next.from_ms);
  if (here === undefined || !takes(here, firstMs))
    return { rows: own, repaired: undefined, blocks: splitPositions(own, true) };
  const packed = await unpacked(here);
  const isAppended = firstMs > here.to_ms;
  const all = isAppended ? [...packed, ...own] : [...packed, ...own].sort(comparePlaces);
  return { rows: own, repaired: here.id, blocks: splitPositions(all, isAppended) };
}

/** It is in its time, or it has room behind it. */
function takes({ from_ms: fromMs, to_ms: toMs, count }: Omit<PositionBlockTable, 'id'>, firstMs: number): boolean {
  return firstMs <= toMs || (count < MAX_BLOCK_POSITIONS && firstMs - fromMs <= MAX_BLOCK_SPAN_MS);
}

async function unpacked({ id, data }: { readonly id: number; readonly data: Uint8Array }): Promise<StoredPosition[]> {
  const opened = await readBlock(data);
  if (!opened.ok) throw new Error(`block ${id} of positions can't be read: ${opened.why}`);
  return positionsOf(opened.value);
}

/** What becomes of positions that share a block, in their order. */
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
    received_to_ms: positions.reduce((latest, { receivedAtMs }) => Math.max(latest, receivedAtMs), 0),
    count: positions.length,
    south,
    west,
    north,
    east,
    data: await encodeBlock(positions),
  };
}

/** The lower one above the higher one where there is nothing. */
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

/** All of it or nothing: rows and a block that are not there any more were deleted by age, and must not come back. */
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
