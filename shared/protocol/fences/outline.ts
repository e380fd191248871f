// The outlines of fences: a ring of longitudes and latitudes around each kind. Pure.
import type { FenceShape } from '../api/fences/fences.ts';

export type Position = readonly [number, number];

export interface ShapeBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const CIRCLE_CORNERS = 64;
const METERS_A_DEGREE = 111_195.08;

/** Closed: the last position is the first again. */
export function outlineOf(shape: FenceShape): readonly Position[] {
  const { geometry } = shape;
  switch (geometry.type) {
    case 'Point':
      return circleAround(geometry.coordinates, shape.radiusMeters);
    case 'LineString':
      return corridorAround(geometry.coordinates, shape.widthMeters / 2);
    case 'Polygon':
      return geometry.coordinates[0] ?? [];
  }
}

export function boundsOfShape(shape: FenceShape): ShapeBounds {
  const bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [lng, lat] of outlineOf(shape)) {
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
  }
  return bounds;
}

function circleAround([lng, lat]: Position, radiusMeters: number): readonly Position[] {
  return Array.from({ length: CIRCLE_CORNERS + 1 }, (_, at) => {
    const angle = (2 * Math.PI * (at % CIRCLE_CORNERS)) / CIRCLE_CORNERS;
    return moved([lng, lat], Math.sin(angle) * radiusMeters, Math.cos(angle) * radiusMeters);
  });
}

/** There along its right side, and back along its left one. */
function corridorAround(line: readonly Position[], halfMeters: number): readonly Position[] {
  const right = sideOf(line, halfMeters);
  const left = sideOf(line, -halfMeters);
  const ring = [...right, ...left.reverse()];
  const [first] = ring;
  return first === undefined ? [] : [...ring, first];
}

function sideOf(line: readonly Position[], meters: number): Position[] {
  return line.map((at, index) => {
    const before = line[index - 1] ?? at;
    const after = line[index + 1] ?? at;
    const east = (after[0] - before[0]) * Math.cos((at[1] * Math.PI) / 180);
    const north = after[1] - before[1];
    const length = Math.hypot(east, north) || 1;
    return moved(at, (north / length) * meters, (-east / length) * meters);
  });
}

function moved([lng, lat]: Position, eastMeters: number, northMeters: number): Position {
  const scale = Math.cos((lat * Math.PI) / 180) * METERS_A_DEGREE;
  return [lng + eastMeters / scale, lat + northMeters / METERS_A_DEGREE];
}
