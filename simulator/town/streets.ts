// The streets of the demo's town, on its plan. The vehicles drive on them: see route.ts. Pure.
import { factories, GRID, grid, park } from './grid.ts';
import { createRandom, type PlanPoint, straight } from './ground.ts';
import { type Names, numberedStreet, ROADS, TREES } from './names.ts';
import { allowedParts, alongU, alongV, type Ends, pieces } from './planLines.ts';
import { isAtLake, isAtRiver, isInBuiltArea, isInRing, isWithin, lakeshore, ring } from './shapes.ts';

/** By importance. */
export type StreetKind =
  | 'motorway'
  | 'trunk'
  | 'primary'
  | 'secondary'
  | 'tertiary'
  | 'residential'
  | 'footway'
  | 'rail';

export interface Street {
  readonly kind: StreetKind;
  readonly names?: Names;
  readonly points: readonly PlanPoint[];
}

const FAR_METRES = 4_300;
const EXPRESSWAY_V = -2_650;

/** Some pieces of small streets are left out, so that not all go through. */
const KEPT_SHARE = 0.86;

export const streets: readonly Street[] = [
  ...outerRoads(),
  { kind: 'trunk', names: ROADS.ring, points: closed(ring) },
  ...line('primary', ROADS.central, alongV(GRID.v.central), isInRing),
  ...line('primary', ROADS.station, alongU(GRID.u.station), isInRing),
  { kind: 'secondary', names: ROADS.lakeshore, points: closed(lakeshore) },
  ...line('secondary', ROADS.park, alongV(GRID.v.park), isInRing),
  ...line('secondary', ROADS.university, alongU(GRID.u.university), isInRing),
  ...line('tertiary', ROADS.depot, alongV(GRID.v.depot), (point) => isInRing(point) && !isAtLake(point)),
  ...line('tertiary', ROADS.pier, alongU(GRID.u.pier), (point) => isInRing(point) && !isAtLake(point)),
  ...smallStreets(),
  ...parkPaths(),
];

function outerRoads(): readonly Street[] {
  const east = FAR_METRES;
  const rail = Array.from({ length: 61 }, (_, at): PlanPoint => {
    const u = -east + (at * 2 * east) / 60;
    return [u, 1_430 + 90 * Math.sin(u / 1_100)];
  });
  const expressway = Array.from({ length: 61 }, (_, at): PlanPoint => {
    const u = -east + (at * 2 * east) / 60;
    return [u, EXPRESSWAY_V + 120 * Math.cos(u / 1_500)];
  });
  const south = ring[(ring.length * 3) / 4] ?? [0, 0];
  const north = ring[ring.length / 4] ?? [0, 0];
  return [
    { kind: 'rail', points: rail },
    { kind: 'motorway', names: ROADS.expressway, points: expressway },
    { kind: 'primary', names: ROADS.station, points: straight(south, [0, EXPRESSWAY_V + 120]) },
    { kind: 'primary', points: straight(north, [200, 3_400]) },
  ];
}

function smallStreets(): readonly Street[] {
  const random = createRandom(11);
  const large = { u: Object.values<number>(GRID.u), v: Object.values<number>(GRID.v) };
  const trees = grid.u.filter((u) => !large.u.includes(u));
  const numbered = grid.v.filter((v) => !large.v.includes(v));
  return [
    ...trees.flatMap((u, at) => pieces(alongU(u), large.v).flatMap(some(TREES[at % TREES.length]))),
    ...numbered.flatMap((v, at) => pieces(alongV(v), large.u).flatMap(some(numberedStreet(at + 1)))),
  ];

  function some(names: Names | undefined) {
    return (ends: Ends): readonly Street[] =>
      random() > KEPT_SHARE || names === undefined ? [] : line('residential', names, ends, isForHouses);
  }
}

/** Houses stand on all other ground. */
export function isForHouses(point: PlanPoint): boolean {
  if (!isInBuiltArea(point) || isAtLake(point) || isAtRiver(point, 30)) return false;
  return !isWithin(point, park) && !isWithin(point, factories);
}

function line(kind: StreetKind, names: Names, ends: Ends, isAllowed: (point: PlanPoint) => boolean): readonly Street[] {
  return allowedParts(ends, isAllowed).map((points) => ({ kind, names, points }));
}

function parkPaths(): readonly Street[] {
  const { west, south, east, north } = park;
  const middle: PlanPoint = [(west + east) / 2, (south + north) / 2];
  const corners: readonly PlanPoint[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return corners.map((corner) => ({ kind: 'footway', points: straight(corner, middle) }));
}

function closed(points: readonly PlanPoint[]): readonly PlanPoint[] {
  return [...points, ...points.slice(0, 1)];
}
