// Which wall comes next when walls are shown in turn, and how tiles are laid out. Pure.
import type { Wall } from '../../../../shared/protocol/api/fleet.ts';

/** The next of the walls that take part in the turn; undefined when there is no other. */
export function nextWall(walls: readonly Wall[], name: string): Wall | undefined {
  const inTurn = walls.filter(({ cycleSeconds }) => cycleSeconds > 0);
  const at = inTurn.findIndex((wall) => wall.name === name);
  const next = inTurn[(at + 1) % inTurn.length];
  return next?.name === name ? undefined : next;
}

/** Columns that give 16:9 tiles the most room in a window of this shape. */
export function wallColumns(count: number, width: number, height: number): number {
  let best = 1;
  let bestSide = 0;
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const side = Math.min(width / columns, (height / rows) * (16 / 9));
    if (side > bestSide + 0.5) {
      best = columns;
      bestSide = side;
    }
  }
  return best;
}

export interface WallAddress {
  readonly name: string;
  /** Walls are shown in turn, from this one on. */
  readonly inTurn: boolean;
}

/** What the address says behind its hash: `#wall=Gates` opens that wall, `#wall=Gates&turn=1` all of them in turn. */
export function wallOfHash(hash: string): WallAddress | undefined {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const name = query.get('wall') ?? '';
  return name === '' ? undefined : { name, inTurn: query.get('turn') === '1' };
}

export function hashOfWall({ name, inTurn }: WallAddress): string {
  return `#${new URLSearchParams({ wall: name, ...(inTurn ? { turn: '1' } : {}) })}`;
}
