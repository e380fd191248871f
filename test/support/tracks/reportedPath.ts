// Where a vehicle was at a moment, worked out from what the gateway stored of it, without what the page makes of it.
import { TRACK_POINTS_PATH, type TrackPoint, type TrackPoints } from '../../../shared/protocol/api/tracks/track.ts';
import type { ShownPlace } from './clockSamples.ts';

const ROWS = 500;
/** Between two points that are further apart nobody knows. */
const GAP_MS = 5 * 60_000;
const METERS_PER_DEGREE = 111_320;

export type CallApi = (path: string) => Promise<unknown>;

/** All points with a fix of a span, in order. */
export async function reportedPoints(
  call: CallApi,
  deviceId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly TrackPoint[]> {
  const points: TrackPoint[] = [];
  let after: string | null = '';
  while (after !== null) {
    const query = new URLSearchParams({ deviceid: deviceId, from: `${fromMs}`, to: `${toMs}`, limit: `${ROWS}` });
    if (after !== '') query.set('after', after);
    const page = (await call(`${TRACK_POINTS_PATH}?${query}`)) as TrackPoints;
    points.push(...page.rows);
    after = page.next;
  }
  return points.filter(({ hasFix }) => hasFix);
}

export interface TimedPlace extends ShownPlace {
  readonly atMs: number;
}

/** On the straight way between both neighbors; in a gap where it was before. Undefined outside. */
export function placeBetween(points: readonly TimedPlace[], atMs: number): ShownPlace | undefined {
  const next = points.findIndex((point) => point.atMs > atMs);
  const [from, to] = [points[next - 1], points[next]];
  if (from === undefined || to === undefined) return undefined;
  if (to.atMs - from.atMs > GAP_MS) return from;
  const share = (atMs - from.atMs) / (to.atMs - from.atMs);
  return { lat: from.lat + (to.lat - from.lat) * share, lng: from.lng + (to.lng - from.lng) * share };
}

export function metersApart(one: ShownPlace, other: ShownPlace): number {
  const north = (one.lat - other.lat) * METERS_PER_DEGREE;
  const east = (one.lng - other.lng) * METERS_PER_DEGREE * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(north, east);
}
