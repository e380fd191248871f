// The lap of the demo's vehicles: once through the town and around the lake, on its streets, slower on the small ones and at corners.
import { GRID } from './grid.ts';
import { distance, type GroundPoint, type PlanPoint, straight, toGround } from './ground.ts';
import { CURVE_POINTS, lakeshore, ring } from './shapes.ts';

/** A point of the lap. The way to the next one is straight, and the speed on it changes evenly. */
export interface LapPoint {
  readonly point: GroundPoint;
  readonly speedMs: number;
  /** Time since the beginning of the lap. */
  readonly atMs: number;
}

interface Leg {
  readonly points: readonly PlanPoint[];
  readonly speedKmh: number;
}

const RING_KMH = 62;
const AVENUE_KMH = 44;
const LAKESHORE_KMH = 40;
const STREET_KMH = 34;
const CORNER_KMH = 17;
/** A corner is driven as a curve that begins and ends this far from it. */
const CORNER_METRES = 18;
const CORNER_DEGREES = 30;
const CORNER_POINTS = 8;
/** Applies to braking too. */
const ACCELERATION_MS2 = 1.1;

const quarter = CURVE_POINTS / 4;
const crossing: PlanPoint = [GRID.u.station, GRID.v.central];
const pier: PlanPoint = [GRID.u.pier, GRID.v.central];
const depot: PlanPoint = [GRID.u.station, GRID.v.depot];

/** The lap begins in the middle of a long stretch, where the speed is even. */
const LEGS: readonly Leg[] = [
  { points: arc(ring, -quarter / 2, quarter), speedKmh: RING_KMH },
  { points: straight(pointOf(ring, quarter), crossing), speedKmh: AVENUE_KMH },
  { points: straight(crossing, pier), speedKmh: AVENUE_KMH },
  { points: straight(pier, pointOf(lakeshore, quarter)), speedKmh: STREET_KMH },
  { points: arc(lakeshore, quarter, CURVE_POINTS), speedKmh: LAKESHORE_KMH },
  { points: straight(pointOf(lakeshore, 0), depot), speedKmh: STREET_KMH },
  { points: straight(depot, pointOf(ring, 3 * quarter)), speedKmh: AVENUE_KMH },
  { points: arc(ring, 3 * quarter, CURVE_POINTS - quarter / 2), speedKmh: RING_KMH },
];

/** The last point is the first one again. */
export const lap: readonly LapPoint[] = timed(withCorners(LEGS.flatMap(waypoints)));

interface Waypoint {
  readonly point: GroundPoint;
  readonly limitMs: number;
}

function waypoints({ points, speedKmh }: Leg, at: number): readonly Waypoint[] {
  // A leg begins where the one before it ends.
  return points.slice(at === 0 ? 0 : 1).map((point) => ({ point: toGround(point), limitMs: speedKmh / 3.6 }));
}

function withCorners(way: readonly Waypoint[]): readonly Waypoint[] {
  const corners = way.filter((waypoint, at) => {
    const [before, after] = [way[at - 1], way[at + 1]];
    return before !== undefined && after !== undefined && turnDegrees(before, waypoint, after) > CORNER_DEGREES;
  });
  const open = way.filter((each) => corners.includes(each) || corners.every((corner) => !isNear(each, corner)));
  return open.flatMap((waypoint, at) => {
    const [before, after] = [open[at - 1], open[at + 1]];
    if (!corners.includes(waypoint) || before === undefined || after === undefined) return [waypoint];
    return curve(towards(waypoint.point, before.point), waypoint.point, towards(waypoint.point, after.point));
  });
}

function isNear(waypoint: Waypoint, corner: Waypoint): boolean {
  return distance(waypoint.point, corner.point) < CORNER_METRES;
}

function towards([x, y]: GroundPoint, to: GroundPoint): GroundPoint {
  const share = CORNER_METRES / distance([x, y], to);
  return [x + (to[0] - x) * share, y + (to[1] - y) * share];
}

function curve(from: GroundPoint, corner: GroundPoint, to: GroundPoint): readonly Waypoint[] {
  return Array.from({ length: CORNER_POINTS + 1 }, (_, at) => {
    const share = at / CORNER_POINTS;
    const [near, middle, far] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
    const point: GroundPoint = [
      near * from[0] + middle * corner[0] + far * to[0],
      near * from[1] + middle * corner[1] + far * to[1],
    ];
    return { point, limitMs: CORNER_KMH / 3.6 };
  });
}

/**
 * Adds the times of the fastest lap that limits, braking and accelerating allow, calculated twice around so that the end fits the
 * beginning.
 */
function timed(way: readonly Waypoint[]): readonly LapPoint[] {
  const loop = [...way.slice(0, -1), ...way];
  const speeds = loop.map(({ limitMs }) => limitMs);
  for (let at = 1; at < loop.length; at++) limit(at, at - 1);
  for (let at = loop.length - 2; at >= 0; at--) limit(at, at + 1);
  const first = way.length - 1;
  const points: LapPoint[] = [];
  for (let at = 0; at < way.length; at++) {
    const point = way[at]?.point ?? [0, 0];
    const speedMs = speeds[at + (at < first / 2 ? first : 0)] ?? 0;
    const before = points.at(-1);
    const atMs =
      before === undefined ? 0 : before.atMs + (2_000 * distance(before.point, point)) / (before.speedMs + speedMs);
    points.push({ point, speedMs, atMs });
  }
  return points;

  function limit(at: number, from: number): void {
    const metres = distance(loop[at]?.point ?? [0, 0], loop[from]?.point ?? [0, 0]);
    const reachable = Math.sqrt((speeds[from] ?? 0) ** 2 + 2 * ACCELERATION_MS2 * metres);
    speeds[at] = Math.min(speeds[at] ?? 0, reachable);
  }
}

function turnDegrees(before: Waypoint, { point }: Waypoint, after: Waypoint): number {
  const incoming = Math.atan2(point[1] - before.point[1], point[0] - before.point[0]);
  const outgoing = Math.atan2(after.point[1] - point[1], after.point[0] - point[0]);
  const turn = Math.abs(outgoing - incoming) * (180 / Math.PI);
  return Math.min(turn, 360 - turn);
}

function pointOf(curvePoints: readonly PlanPoint[], at: number): PlanPoint {
  return curvePoints.at(at % CURVE_POINTS) ?? [0, 0];
}

/** A part of a closed curve, both ends included; numbers may go past its last point and below its first. */
function arc(curvePoints: readonly PlanPoint[], from: number, to: number): readonly PlanPoint[] {
  return Array.from({ length: to - from + 1 }, (_, at) => pointOf(curvePoints, from + at));
}
