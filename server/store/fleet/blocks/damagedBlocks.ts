// Blocks whose bytes are not what was written. Nobody overwrites one: what can still be saved of it is for people to decide.

export interface DamagedBlock {
  /** Row of `position_block`. */
  readonly id: number;
  readonly incarnation: number;
  readonly why: string;
}

export type OnDamagedBlock = (block: DamagedBlock) => void;

/** So many are remembered; beyond them one may be told of again. */
const MAX_TOLD = 1_000;

/** Tells of each block once, however often it is read. */
export function onceForEach(tell: OnDamagedBlock): OnDamagedBlock {
  const told = new Set<number>();
  return (block) => {
    if (told.has(block.id)) return;
    if (told.size >= MAX_TOLD) told.clear();
    told.add(block.id);
    tell(block);
  };
}

export function damageFault({ id, incarnation, why }: DamagedBlock): Error {
  return new Error(`block ${id} of positions, of device number ${incarnation}, can't be read: ${why}`);
}
