// Where the streets of the demo's town lie on its plan, and what is laid out between them. Pure.
import { gridLines } from './planLines.ts';

/** Where the larger streets lie: the ones from south to north by u, the others by v. */
export const GRID = {
  u: { pier: -1_000, station: 0, university: 1_050 },
  v: { depot: -800, central: 0, park: 720 },
} as const;
/** All lines from south to north, and all from west to east, the large ones among them. */
export const grid = {
  u: gridLines(Object.values(GRID.u), 2_400, 3),
  v: gridLines(Object.values(GRID.v), 1_900, 5),
} as const;

/** A part of the plan whose sides are streets. */
export interface Rectangle {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export const park = betweenStreets({ west: 190, south: 180, east: 720, north: 720 });
export const depot = betweenStreets({ west: 190, south: -1_180, east: 520, north: -800 });
export const factories = betweenStreets({ west: 1_450, south: -800, east: 2_050, north: -190 });

/** The streets that lie next to the wanted sides. */
function betweenStreets({ west, south, east, north }: Rectangle): Rectangle {
  return {
    west: nearest(grid.u, west),
    south: nearest(grid.v, south),
    east: nearest(grid.u, east),
    north: nearest(grid.v, north),
  };
}

function nearest(lines: readonly number[], wanted: number): number {
  return lines.reduce(
    (best, at) => (Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best),
    Number.MAX_SAFE_INTEGER,
  );
}
