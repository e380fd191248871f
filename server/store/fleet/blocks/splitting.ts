// Which positions share a block.
import { MAX_BLOCK_EXTRA, MAX_BLOCK_POSITIONS } from './blockCodec.ts';
import type { StoredPosition } from './storedPosition.ts';

/** A block goes when the last of it is past its retention: none is kept longer than this on account of others. */
export const MAX_BLOCK_SPAN_MS = 86_400_000;

interface Bounds {
  readonly positions: number;
  readonly extra: number;
}

/**
 * In their order. `isAppended`: more will follow at the end, so all but the last are full; otherwise they become equally large, so that
 * the next late position finds room.
 */
export function splitPositions(positions: readonly StoredPosition[], isAppended: boolean): StoredPosition[][] {
  const full = cut(positions, { positions: MAX_BLOCK_POSITIONS, extra: MAX_BLOCK_EXTRA });
  if (isAppended || full.length < 2) return full;
  return cut(positions, { positions: Math.ceil(positions.length / full.length), extra: MAX_BLOCK_EXTRA });
}

function cut(positions: readonly StoredPosition[], most: Bounds): StoredPosition[][] {
  const blocks: StoredPosition[][] = [];
  let block: StoredPosition[] = [];
  let extra = 0;
  for (const position of positions) {
    const [first = position] = block;
    const isFull = block.length >= most.positions || extra + position.extra.length > most.extra;
    if (block.length > 0 && (isFull || position.deviceTimeMs - first.deviceTimeMs > MAX_BLOCK_SPAN_MS)) {
      blocks.push(block);
      block = [];
      extra = 0;
    }
    block.push(position);
    extra += position.extra.length;
  }
  if (block.length > 0) blocks.push(block);
  return blocks;
}
