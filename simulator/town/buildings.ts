// The houses of the demo's town, on its plan: rows along the streets of each block, halls where there is work. Pure.
import { depot, factories, GRID, grid, park, type Rectangle } from './grid.ts';
import { createRandom, type PlanPoint } from './ground.ts';
import { isWithin } from './shapes.ts';
import { isForHouses } from './streets.ts';

/** From the middle of a street to the houses beside it. */
const STREET_METRES = { small: 13, large: 18 };
/** Around the crossing in the middle, houses are larger and stand closer. */
const CENTRE_METRES = 750;
const HOUSE = { front: 13, frontMore: 12, depth: 12, depthMore: 6, gap: 4, gapMore: 7, emptyShare: 0.1 };
const CENTRE_HOUSE = { front: 24, frontMore: 22, depth: 20, depthMore: 10, gap: 2, gapMore: 4, emptyShare: 0.04 };
const HALLS = { columns: 4, rows: 5, gapMetres: 26 };

export function buildings(): readonly Rectangle[] {
  const random = createRandom(29);
  const houses = blocks().flatMap((block) => houseRows(block, random));
  return [
    ...houses.filter(stands),
    ...halls(factories, HALLS),
    ...halls(depot, { columns: 2, rows: 3, gapMetres: 24 }),
  ];
}

function stands(house: Rectangle): boolean {
  return corners(house).every((corner) => isForHouses(corner) && !isWithin(corner, depot) && !isWithin(corner, park));
}

export function corners({ west, south, east, north }: Rectangle): readonly PlanPoint[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** The ground between neighbouring streets of the grid, without the streets. */
function blocks(): readonly Rectangle[] {
  const besideU = (u: number): number => (isLarge(u, GRID.u) ? STREET_METRES.large : STREET_METRES.small);
  const besideV = (v: number): number => (isLarge(v, GRID.v) ? STREET_METRES.large : STREET_METRES.small);
  return grid.u.slice(1).flatMap((east, column) => {
    const west = grid.u[column] ?? east;
    return grid.v.slice(1).map((north, row) => {
      const south = grid.v[row] ?? north;
      return {
        west: west + besideU(west),
        east: east - besideU(east),
        south: south + besideV(south),
        north: north - besideV(north),
      };
    });
  });
}

function isLarge(at: number, lines: Readonly<Record<string, number>>): boolean {
  return Object.values(lines).includes(at);
}

/** A row along each of the four streets. */
function houseRows(block: Rectangle, random: () => number): readonly Rectangle[] {
  const { west, south, east, north } = block;
  const kind = Math.hypot((west + east) / 2, (south + north) / 2) < CENTRE_METRES ? CENTRE_HOUSE : HOUSE;
  const inner = kind.depth + kind.depthMore + kind.gap;
  const row = (from: number, to: number, house: (at: number, front: number, depth: number) => Rectangle) =>
    lots(from, to, { kind, random }).map(({ at, front, depth }) => house(at, front, depth));
  return [
    ...row(west, east, (at, front, depth) => ({ west: at, east: at + front, south, north: south + depth })),
    ...row(west, east, (at, front, depth) => ({ west: at, east: at + front, south: north - depth, north })),
    ...row(south + inner, north - inner, (at, front, depth) => ({
      west,
      east: west + depth,
      south: at,
      north: at + front,
    })),
    ...row(south + inner, north - inner, (at, front, depth) => ({
      west: east - depth,
      east,
      south: at,
      north: at + front,
    })),
  ];
}

interface Lot {
  readonly at: number;
  readonly front: number;
  readonly depth: number;
}

interface LotKind {
  readonly kind: typeof HOUSE;
  readonly random: () => number;
}

function lots(from: number, to: number, { kind, random }: LotKind): readonly Lot[] {
  const found: Lot[] = [];
  let at = from;
  while (at < to - kind.front) {
    const front = Math.min(kind.front + random() * kind.frontMore, to - at);
    if (random() > kind.emptyShare) found.push({ at, front, depth: kind.depth + random() * kind.depthMore });
    at += front + kind.gap + random() * kind.gapMore;
  }
  return found;
}

function halls(ground: Rectangle, { columns, rows, gapMetres }: typeof HALLS): readonly Rectangle[] {
  const width = (ground.east - ground.west - gapMetres) / columns;
  const height = (ground.north - ground.south - gapMetres) / rows;
  return Array.from({ length: columns * rows }, (_, at) => {
    const west = ground.west + gapMetres + (at % columns) * width;
    const south = ground.south + gapMetres + Math.floor(at / columns) * height;
    return { west, south, east: west + width - gapMetres, north: south + height - gapMetres };
  });
}
