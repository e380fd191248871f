// Blocks whose bytes differ from what was written. They are never overwritten: administrators decide what can still be saved.

export interface DamagedBlock {
  /** Row of `position_block`. */
  readonly id: number;
  readonly incarnation: number;
  readonly why: string;
}

export type OnDamagedBlock = (block: DamagedBlock) => void;

/** Maximum remembered; beyond it, a block may be reported again. */
const MAX_TOLD = 1_000;

/** Reports each block once, however often it is read. */
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
