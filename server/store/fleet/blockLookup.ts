// Where the blocks of a device lie: each statement is one look into the index, however many blocks the device has. They don't overlap, so
// that they end in the order in which they begin; and none is longer than a day, which bounds what is looked at from both sides.
import type { StoreDb } from '../engine/database.ts';
import { MAX_BLOCK_SPAN_MS } from './blocks/splitting.ts';

export interface WantedHead {
  readonly incarnation: number;
  /** It ends then or later, and begins before `beforeMs`. */
  readonly fromMs: number;
  readonly beforeMs: number;
  readonly isBackward: boolean;
  /** Numbers of blocks. */
  readonly except: readonly number[];
}

/** The blocks with something of the range, in the direction of the walk. */
export function blockHeads<Column extends 'id' | 'from_ms' | 'to_ms' | 'data'>(
  db: StoreDb,
  { incarnation, fromMs, beforeMs, isBackward, except }: WantedHead,
  columns: readonly Column[],
) {
  const order = isBackward ? 'desc' : 'asc';
  const heads = db
    .selectFrom('position_block')
    .select(columns)
    .where('incarnation', '=', incarnation)
    .where('to_ms', '>=', fromMs)
    .where('to_ms', '<', beforeMs + MAX_BLOCK_SPAN_MS)
    .where('from_ms', '<', beforeMs);
  const others = except.length === 0 ? heads : heads.where('id', 'not in', except);
  return others.orderBy('to_ms', order).orderBy('from_ms', order).orderBy('id', order);
}

/** The one that holds a moment; of two that meet there the later one. */
export function blockHolding(db: StoreDb, incarnation: number, atMs: number) {
  return db
    .selectFrom('position_block')
    .selectAll()
    .where('incarnation', '=', incarnation)
    .where('to_ms', '>=', atMs)
    .where('to_ms', '<=', atMs + MAX_BLOCK_SPAN_MS)
    .where('from_ms', '<=', atMs)
    .orderBy('to_ms', 'desc')
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
}

/** The last one that ended before a moment. */
export function blockEnded(db: StoreDb, incarnation: number, atMs: number) {
  return db
    .selectFrom('position_block')
    .selectAll()
    .where('incarnation', '=', incarnation)
    .where('to_ms', '<', atMs)
    .orderBy('to_ms', 'desc')
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
}

/** Where the first one behind a moment begins. */
export function blockBehind(db: StoreDb, incarnation: number, atMs: number) {
  return db
    .selectFrom('position_block')
    .select('from_ms')
    .where('incarnation', '=', incarnation)
    .where('to_ms', '>', atMs)
    .where('from_ms', '>', atMs)
    .orderBy('to_ms')
    .orderBy('from_ms')
    .limit(1);
}
