// Where a demo vehicle is at a moment: a lap through the demo's town, driven for ever at a changing speed.
import { distance, toDegrees } from './town/ground.ts';
import { type LapPoint, lap } from './town/lap.ts';

export interface RoutePoint {
  /** Signed degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  /** Clockwise from north, 0 to 359. */
  readonly headingDegrees: number;
}

export const LAP_MS = lap.at(-1)?.atMs ?? 0;
export const LAP_METRES = lap.reduce(
  (metres, { point }, at) => metres + distance(lap[at - 1]?.point ?? point, point),
  0,
);

/** `lapShare` 0 to 1 sets vehicles apart on the same road. */
export function routeAt(wallMs: number, lapShare: number): RoutePoint {
  const lapMs = (wallMs + lapShare * LAP_MS) % LAP_MS;
  const { from, to } = stretchAt(lapMs);
  const seconds = (lapMs - from.atMs) / 1_000;
  const wholeSeconds = (to.atMs - from.atMs) / 1_000;
  const speedMs = from.speedMs + ((to.speedMs - from.speedMs) * seconds) / wholeSeconds;
  const [east, north] = [to.point[0] - from.point[0], to.point[1] - from.point[1]];
  const share = (((from.speedMs + speedMs) / 2) * seconds) / Math.hypot(east, north);
  const heading = (Math.atan2(east, north) * 180) / Math.PI;
  return {
    ...toDegrees([from.point[0] + east * share, from.point[1] + north * share]),
    speedKmh: speedMs * 3.6,
    headingDegrees: Math.round(heading + 360) % 360,
  };
}

interface Stretch {
  readonly from: LapPoint;
  readonly to: LapPoint;
}

/** The part of the lap that is driven at a moment. A fleet of thousands asks each second, so it is searched by halves. */
function stretchAt(lapMs: number): Stretch {
  let [low, high] = [0, lap.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lap[middle]?.atMs ?? 0) <= lapMs) low = middle;
    else high = middle;
  }
  const [from, to] = [lap[low], lap[high]];
  if (from === undefined || to === undefined) throw new Error('the lap has no points');
  return { from, to };
}
