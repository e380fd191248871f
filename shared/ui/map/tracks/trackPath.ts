// A driven line as the map draws it and as a clock finds its way along it. Pure.
import type { TrackLine } from '../../../protocol/api/tracks/track.ts';
import { toDegrees, toWorld, type WorldPoint } from '../mercator.ts';

export interface TrackPath {
  readonly atMs: readonly number[];
  readonly points: readonly WorldPoint[];
  /** Null where it isn't known. */
  readonly speedKmh: readonly (number | null)[];
  readonly headingDeg: readonly (number | null)[];
  /** Places of the points that come after a gap. */
  readonly gaps: ReadonlySet<number>;
}

export interface TrackPlace {
  readonly lat: number;
  readonly lng: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  /** Nothing was reported then: it is the last place before, or the first after. */
  readonly isSilent: boolean;
}

export const NO_PATH: TrackPath = { atMs: [], points: [], speedKmh: [], headingDeg: [], gaps: new Set() };

export function trackPath({ atMs, lat, lng, speedKmh, headingDeg, gaps }: TrackLine): TrackPath {
  const points = atMs.map((_at, place) => toWorld(lat[place] ?? 0, lng[place] ?? 0));
  return { atMs, points, speedKmh, headingDeg, gaps: new Set(gaps) };
}

/** Where it was at a moment; undefined for a path without points. */
export function placeOnPath(path: TrackPath, atMs: number): TrackPlace | undefined {
  const at = lastBefore(path.atMs, atMs);
  const next = at + 1;
  const isBetween = at >= 0 && next < path.atMs.length && !path.gaps.has(next);
  if (!isBetween) return placeOf(path, Math.max(0, at), path.atMs[Math.max(0, at)] !== atMs);
  const [from, to] = [path.points[at], path.points[next]];
  const [beginMs, endMs] = [path.atMs[at] ?? 0, path.atMs[next] ?? 0];
  if (from === undefined || to === undefined || endMs <= beginMs) return placeOf(path, at, false);
  const share = (atMs - beginMs) / (endMs - beginMs);
  const point = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  const speeds = [path.speedKmh[at] ?? 0, path.speedKmh[next] ?? 0] as const;
  const speedKmh = speeds[0] + (speeds[1] - speeds[0]) * share;
  return { ...toDegrees(point), speedKmh, headingDeg: path.headingDeg[at] ?? 0, isSilent: false };
}

function placeOf(path: TrackPath, at: number, isSilent: boolean): TrackPlace | undefined {
  const point = path.points[at];
  if (point === undefined) return undefined;
  const { speedKmh, headingDeg } = path;
  return {
    ...toDegrees(point),
    speedKmh: isSilent ? 0 : (speedKmh[at] ?? 0),
    headingDeg: headingDeg[at] ?? 0,
    isSilent,
  };
}

function lastBefore(moments: readonly number[], atMs: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** West, south, east, north in degrees; undefined without points. */
export type DegreeBounds = readonly [number, number, number, number];

export function boundsOfPaths(paths: readonly TrackPath[]): DegreeBounds | undefined {
  let [west, south, east, north] = [Infinity, -Infinity, -Infinity, Infinity];
  for (const { points } of paths) {
    for (const { x, y } of points) {
      west = Math.min(west, x);
      east = Math.max(east, x);
      north = Math.min(north, y);
      south = Math.max(south, y);
    }
  }
  if (west > east) return undefined;
  const [low, high] = [toDegrees({ x: west, y: south }), toDegrees({ x: east, y: north })];
  return [low.lng, low.lat, high.lng, high.lat];
}
