// The outlines of geofences in the map's own measure. Pure.
import type { ShownFence } from '../../../protocol/api/fences/fences.ts';
import { toWorld, type WorldPoint } from '../mercator.ts';

export interface FenceOutline {
  readonly name: string;
  readonly color: string;
  /** A ring without its first point again, or the middle line of a corridor. */
  readonly points: readonly WorldPoint[];
  /** Of a corridor, in the measure of the points; 0 for a ring. */
  readonly width: number;
}

const METERS_A_DEGREE = 111_320;
const CIRCLE_STEPS = 72;

export function fenceOutline({ name, color, geometry, radiusMeters, widthMeters }: ShownFence): FenceOutline {
  switch (geometry.type) {
    case 'Point':
      return { name, color, points: circle(geometry.coordinates, radiusMeters), width: 0 };
    case 'LineString': {
      const [, lat = 0] = geometry.coordinates[0] ?? [0, 0];
      return { name, color, points: geometry.coordinates.map(worldOf), width: worldOfMeters(widthMeters, lat) };
    }
    case 'Polygon':
      return { name, color, points: (geometry.coordinates[0] ?? []).slice(0, -1).map(worldOf), width: 0 };
  }
}

function worldOf([lng = 0, lat = 0]: readonly number[]): WorldPoint {
  return toWorld(lat, lng);
}

/** A stretch of the parallel there. */
function worldOfMeters(meters: number, lat: number): number {
  return meters / METERS_A_DEGREE / Math.cos((lat * Math.PI) / 180) / 360;
}

function circle([lng = 0, lat = 0]: readonly number[], radiusMeters: number): readonly WorldPoint[] {
  const up = radiusMeters / METERS_A_DEGREE;
  return Array.from({ length: CIRCLE_STEPS }, (_each, step) => {
    const angle = (2 * Math.PI * step) / CIRCLE_STEPS;
    const pointLat = lat + up * Math.sin(angle);
    return toWorld(pointLat, lng + (up * Math.cos(angle)) / Math.cos((lat * Math.PI) / 180));
  });
}
