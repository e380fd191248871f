// Why an outline can't be a fence. Pure.
import area from '@turf/area';
import kinks from '@turf/kinks';
import type { FenceShape } from '../api/fences/fences.ts';
import {
  type FenceFault,
  MAX_RADIUS_METERS,
  MAX_VERTICES,
  MAX_WIDTH_METERS,
  MIN_AREA_M2,
  MIN_RADIUS_METERS,
  MIN_VERTICES,
  MIN_WIDTH_METERS,
} from './fenceWords.ts';
import type { Position } from './outline.ts';

export function faultsOfShape(shape: FenceShape): readonly FenceFault[] {
  const { geometry } = shape;
  switch (geometry.type) {
    case 'Point': {
      if (shape.radiusMeters < MIN_RADIUS_METERS) return ['fence-small-radius'];
      if (shape.radiusMeters > MAX_RADIUS_METERS) return ['fence-hemisphere'];
      return placeFaults([geometry.coordinates]);
    }
    case 'LineString': {
      const faults: FenceFault[] = [...placeFaults(geometry.coordinates)];
      if (geometry.coordinates.length < 2) faults.push('fence-few-vertices');
      if (geometry.coordinates.length > MAX_VERTICES) faults.push('fence-many-vertices');
      if (shape.widthMeters < MIN_WIDTH_METERS || shape.widthMeters > MAX_WIDTH_METERS)
        faults.push('fence-small-width');
      return faults;
    }
    case 'Polygon':
      return ringFaults(geometry.coordinates[0] ?? []);
  }
}

function ringFaults(ring: readonly Position[]): readonly FenceFault[] {
  const places = placeFaults(ring);
  if (places.length > 0) return places;
  if (ring.length - 1 < MIN_VERTICES) return ['fence-few-vertices'];
  if (ring.length - 1 > MAX_VERTICES) return ['fence-many-vertices'];
  const polygon = { type: 'Polygon' as const, coordinates: [ring.map(([lng, lat]) => [lng, lat])] };
  if (kinks(polygon).features.length > 0) return ['fence-crossing'];
  if (area(polygon) < MIN_AREA_M2) return ['fence-small-area'];
  return [];
}

function placeFaults(positions: readonly Position[]): readonly FenceFault[] {
  return positions.some(([lng, lat]) => Math.abs(lng) > 180 || Math.abs(lat) > 90) ? ['fence-outside-earth'] : [];
}
