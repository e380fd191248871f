// Takes positions that are past their retention out of blocks with younger ones: from a terminal that begins in the same year whenever it
// is switched on, and from late deliveries.
import type { StoreDb } from '../engine/database.ts';
import { positionsOf, readBlock } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { blockRowOf } from './positionPacking.ts';

export interface Trimming {
  /** Positions received before this time are taken out. */
  readonly receivedBeforeMs: number;
  /**
   * Only blocks whose first position was received before this time are trimmed: each block is rewritten, and most are soon deleted as a
   * whole.
   */
  readonly startedBeforeMs: number;
  /** Numbers of blocks that were already checked. */
  readonly except: readonly number[];
}

export interface TrimmedBlock {
  readonly id: number;
  readonly removed: number;
}

/** Checks one block; undefined: there is none. A damaged block stays as it is. */
export async function trimBlock(
  db: StoreDb,
  { incarnation, onDamagedBlock }: { readonly incarnation: number; readonly onDamagedBlock: OnDamagedBlock },
  { receivedBeforeMs, startedBeforeMs, except }: Trimming,
): Promise<TrimmedBlock | undefined> {
  const blocks = db
    .selectFrom('position_block')
    .select(['id', 'data'])
    .where('incarnation', '=', incarnation)
    .where('received_from_ms', '>', 0)
    .where('received_from_ms', '<', startedBeforeMs);
  const others = except.length === 0 ? blocks : blocks.where('id', 'not in', except);
  const block = await others.orderBy('received_from_ms').limit(1).executeTakeFirst();
  if (block === undefined) return undefined;
  const { id } = block;
  const opened = await readBlock(block.data);
  if (!opened.ok) {
    onDamagedBlock({ id, incarnation, why: opened.why });
    return { id, removed: 0 };
  }
  const all = positionsOf(opened.value);
  const young = all.filter(({ receivedAtMs }) => receivedAtMs >= receivedBeforeMs);
  const row = young.length === 0 ? undefined : await blockRowOf(incarnation, young);
  const isDone = await db.transaction().execute(async (work) => {
    const old = await work.deleteFrom('position_block').where('id', '=', id).executeTakeFirst();
    // The block was packed again meanwhile: the next round finds its replacement.
    if (Number(old.numDeletedRows) !== 1) return false;
    if (row !== undefined) await work.insertInto('position_block').values(row).execute();
    return true;
  });
  return { id, removed: isDone ? all.length - young.length : 0 };
}
