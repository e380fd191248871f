// The large shapes of the demo's town, on its plan: the ring road, the lake and the road around it, the river, the parks. Pure.
import type { Rectangle } from './grid.ts';
import { between, distance, type PlanPoint } from './ground.ts';

/** Points of a closed curve; a quarter of them lies between two of its crossings with its own axes. */
export const CURVE_POINTS = 384;

const RING = { u: 2_600, v: 2_000 };
/** Share of the ring in which houses stand; between them and the ring road it is green. */
const BUILT_SHARE = 0.95;
const LAKE = { u: -1_000, v: -800, radius: 600 };
const SHORE_METRES = 90;
const RIVER_HALF_WIDTH = 16;

/** The ring road. Point 0 lies in the east, the point a quarter further in the north. */
export const ring: readonly PlanPoint[] = curve((angle) => ringPoint(angle, 1));
export const builtArea: readonly PlanPoint[] = curve((angle) => ringPoint(angle, BUILT_SHARE));
export const lake: readonly PlanPoint[] = curve((angle) => lakePoint(angle, LAKE.radius));
/** The road around the lake, whose points are numbered like those of the ring. */
export const lakeshore: readonly PlanPoint[] = curve((angle) => lakePoint(angle, LAKE.radius + SHORE_METRES));

/** The river, from the hills in the north through the lake to the south. */
export const river: readonly PlanPoint[] = rounded(
  rounded(
    rounded([
      [-1_900, 3_200],
      [-1_820, 2_500],
      [-1_950, 1_800],
      [-1_700, 1_200],
      [-1_780, 600],
      [-1_560, 100],
      [-1_330, -420],
      [-1_250, -800],
      [-1_380, -1_180],
      [-1_650, -1_650],
      [-1_620, -2_200],
      [-1_900, -3_200],
    ]),
  ),
);

export function isInRing(point: PlanPoint): boolean {
  return sizeInRing(point) <= 1;
}

export function isInBuiltArea(point: PlanPoint): boolean {
  return sizeInRing(point) <= BUILT_SHARE;
}

export function isAtLake([u, v]: PlanPoint, marginMetres = 0): boolean {
  const angle = Math.atan2(v - LAKE.v, u - LAKE.u);
  const edge = lakePoint(angle, LAKE.radius + SHORE_METRES);
  return distance([u, v], [LAKE.u, LAKE.v]) < distance(edge, [LAKE.u, LAKE.v]) + marginMetres;
}

export function isAtRiver(point: PlanPoint, marginMetres: number): boolean {
  return river.some((from, at) => {
    const to = river[at + 1];
    return to !== undefined && distanceToSegment(point, from, to) < RIVER_HALF_WIDTH + marginMetres;
  });
}

export function isWithin([u, v]: PlanPoint, { west, south, east, north }: Rectangle): boolean {
  return u > west && u < east && v > south && v < north;
}

export function distanceToSegment(point: PlanPoint, from: PlanPoint, to: PlanPoint): number {
  const [alongU, alongV] = [to[0] - from[0], to[1] - from[1]];
  const length = alongU ** 2 + alongV ** 2;
  const share = length === 0 ? 0 : ((point[0] - from[0]) * alongU + (point[1] - from[1]) * alongV) / length;
  const at = Math.max(0, Math.min(1, share));
  return distance(point, [from[0] + alongU * at, from[1] + alongV * at]);
}

/** The banks of the river as one closed curve. */
export function riverBanks(): readonly PlanPoint[] {
  const left = river.map((point, at) => beside(point, at, RIVER_HALF_WIDTH));
  const right = river.map((point, at) => beside(point, at, -RIVER_HALF_WIDTH));
  return [...left, ...right.reverse()];
}

/** The same line with every bend cut in two. */
function rounded(points: readonly PlanPoint[]): readonly PlanPoint[] {
  const cut = points.slice(1).flatMap((to, at) => {
    const from = points[at] ?? to;
    return [between(from, to, 0.25), between(from, to, 0.75)];
  });
  return [...points.slice(0, 1), ...cut, ...points.slice(-1)];
}

function beside([u, v]: PlanPoint, at: number, metres: number): PlanPoint {
  const before: PlanPoint = river[at - 1] ?? [u, v];
  const after: PlanPoint = river[at + 1] ?? [u, v];
  const length = distance(before, after);
  return [u - ((after[1] - before[1]) / length) * metres, v + ((after[0] - before[0]) / length) * metres];
}

function curve(pointAt: (angle: number) => PlanPoint): readonly PlanPoint[] {
  return Array.from({ length: CURVE_POINTS }, (_, at) => pointAt((2 * Math.PI * at) / CURVE_POINTS));
}

function ringPoint(angle: number, share: number): PlanPoint {
  const size = share * (1 + 0.045 * Math.sin(3 * angle + 0.4));
  return [RING.u * size * Math.cos(angle), RING.v * size * Math.sin(angle)];
}

/** 1 on the ring road, 0 in the center. */
function sizeInRing([u, v]: PlanPoint): number {
  const angle = Math.atan2(v / RING.v, u / RING.u);
  return Math.hypot(u / RING.u, v / RING.v) / (1 + 0.045 * Math.sin(3 * angle + 0.4));
}

function lakePoint(angle: number, radius: number): PlanPoint {
  const size = radius * (1 + 0.1 * Math.sin(2 * angle + 0.5) + 0.05 * Math.sin(5 * angle));
  return [LAKE.u + size * Math.cos(angle), LAKE.v + size * Math.sin(angle)];
}
