// Geofences as they are drawn around places: districts of some kilometers, in rows all over the region, a few of them over one another.
import type { StoredFence } from '../../../server/fences/directory/fenceSource.ts';
import type { Box } from '../../../server/fences/geometry/shape.ts';
import type { FenceContent, LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { fenceContent } from '../../support/fences.ts';

export const GEOFENCES = 2_000;
export const VERTICES = 100;
export const GEOFENCE_REGION: Box = { south: 21, west: 119, north: 25, east: 124 };
const ROWS = 40;
const SPACING_DEGREES = 0.1;
/** Every fortieth is so much larger that it has its neighbors in it. */
const REACH_DEGREES = 0.03;
const LARGE_REACH_DEGREES = 0.12;

export function geofenceContent(at: number): FenceContent {
  const { south, west } = GEOFENCE_REGION;
  const center: LngLat = [west + Math.floor(at / ROWS) * SPACING_DEGREES, south + (at % ROWS) * SPACING_DEGREES];
  const most = at % 40 === 0 ? LARGE_REACH_DEGREES : REACH_DEGREES;
  const ring = Array.from({ length: VERTICES }, (_, vertex): LngLat => {
    const angle = (vertex / VERTICES) * 2 * Math.PI;
    // Bays and headlands, and no two vertices in line.
    const reach = most * (0.8 + 0.15 * Math.sin(5 * angle + at) + 0.05 * Math.sin(23 * angle));
    return [center[0] + reach * Math.cos(angle), center[1] + reach * Math.sin(angle)];
  });
  const [first = center] = ring;
  return fenceContent({
    name: `Area ${at}`,
    geometry: { type: 'Polygon', coordinates: [[...ring, first]] },
    rules: { enter: true, leave: true, insideMinutes: 30, speedKmh: 90 },
  });
}

export function storedGeofences(): StoredFence[] {
  return Array.from({ length: GEOFENCES }, (_, at) => ({
    id: at + 1,
    memberGroup: 1,
    version: 1,
    content: geofenceContent(at),
  }));
}
