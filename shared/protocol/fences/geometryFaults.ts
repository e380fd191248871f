// Why an outline can't be a fence. Pure, and fast enough for each movement of a vertex.
import type { FenceShape, LngLat } from '../api/fences/fences.ts';
import { hasCrossingEdges } from './crossingEdges.ts';
import { EARTH_RADIUS_METERS, metersToDegrees, ringAreaM2, unwrapped } from './earth.ts';
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

const MIN_LINE_VERTICES = 2;
/** Half a hemisphere. */
const MAX_AREA_M2 = Math.PI * EARTH_RADIUS_METERS ** 2;
const MAX_SPAN_DEGREES = 180;
/** Nearer to a pole, longitudes tell nothing. */
const MAX_LATITUDE = 89.9;
const RECTANGLE_VERTICES = 4;
/** Tolerance for an edge along a parallel: a tenth of a millimeter. */
const PARALLEL_DEGREES = 1e-9;

/** The faults of a shape; empty if it can be a fence. */
export function faultsOfShape(shape: FenceShape): readonly FenceFault[] {
  const { kind, geometry } = shape;
  if (geometry.type === 'Point' && kind === 'circle') return faultsOfCircle(geometry.coordinates, shape.radiusMeters);
  if (geometry.type === 'LineString' && kind === 'corridor') {
    return faultsOfCorridor(geometry.coordinates, shape.widthMeters);
  }
  if (geometry.type === 'Polygon' && (kind === 'polygon' || kind === 'rectangle')) {
    return faultsOfPolygon(geometry.coordinates, kind === 'rectangle');
  }
  return ['fence-other-geometry'];
}

function faultsOfCircle(center: LngLat, radiusMeters: number): readonly FenceFault[] {
  if (!isOnEarth(center)) return ['fence-outside-earth'];
  if (!(radiusMeters >= MIN_RADIUS_METERS)) return ['fence-small-radius'];
  if (radiusMeters > MAX_RADIUS_METERS) return ['fence-hemisphere'];
  return Math.abs(center[1]) + metersToDegrees(radiusMeters) > MAX_LATITUDE ? ['fence-pole'] : [];
}

function faultsOfCorridor(given: readonly LngLat[], widthMeters: number): readonly FenceFault[] {
  if (!given.every(isOnEarth)) return ['fence-outside-earth'];
  const line = withoutRepeats(unwrapped(given));
  const faults: FenceFault[] = [];
  if (line.length < MIN_LINE_VERTICES) faults.push('fence-few-vertices');
  if (given.length > MAX_VERTICES) faults.push('fence-many-vertices');
  if (!(widthMeters >= MIN_WIDTH_METERS && widthMeters <= MAX_WIDTH_METERS)) faults.push('fence-small-width');
  if (spanOf(line) > MAX_SPAN_DEGREES) faults.push('fence-hemisphere');
  const marginDegrees = metersToDegrees(widthMeters / 2);
  if (line.some(([, lat]) => Math.abs(lat) + marginDegrees > MAX_LATITUDE)) faults.push('fence-pole');
  return faults;
}

function faultsOfPolygon(rings: readonly (readonly LngLat[])[], isRectangle: boolean): readonly FenceFault[] {
  const [closedRing] = rings;
  if (closedRing === undefined || !isClosed(closedRing)) return ['fence-other-geometry'];
  if (!closedRing.every(isOnEarth)) return ['fence-outside-earth'];
  if (rings.length > 1) return ['fence-hole'];
  if (closedRing.length - 1 > MAX_VERTICES) return ['fence-many-vertices'];
  const all = unwrapped(closedRing);
  // Around a pole the last position is a whole turn from the first.
  const isAroundPole = Math.abs((all.at(-1)?.[0] ?? 0) - (all[0]?.[0] ?? 0)) > 1;
  if (isAroundPole || closedRing.some(([, lat]) => Math.abs(lat) > MAX_LATITUDE)) return ['fence-pole'];
  const ring = withoutRepeats(all.slice(0, -1));
  if (ring.length > 1 && areSame(ring[0], ring.at(-1))) ring.pop();
  if (ring.length < MIN_VERTICES) return ['fence-few-vertices'];
  return faultsOfRing(ring, isRectangle);
}

function faultsOfRing(ring: readonly LngLat[], isRectangle: boolean): readonly FenceFault[] {
  if (hasCrossingEdges(ring)) return ['fence-crossing'];
  const faults: FenceFault[] = [];
  const areaM2 = ringAreaM2(ring);
  if (areaM2 < MIN_AREA_M2) faults.push('fence-small-area');
  if (areaM2 > MAX_AREA_M2 || spanOf(ring) > MAX_SPAN_DEGREES) faults.push('fence-hemisphere');
  if (isRectangle && !liesAlongParallels(ring)) faults.push('fence-not-rectangle');
  return faults;
}

function liesAlongParallels(ring: readonly LngLat[]): boolean {
  if (ring.length !== RECTANGLE_VERTICES) return false;
  return ring.every(([lng, lat], at) => {
    const [nextLng, nextLat] = ring[(at + 1) % RECTANGLE_VERTICES] ?? [lng, lat];
    // Edges take turns: along a parallel, along a meridian.
    const isAlongParallel = Math.abs(nextLat - lat) <= PARALLEL_DEGREES;
    const isAlongMeridian = Math.abs(nextLng - lng) <= PARALLEL_DEGREES;
    return isAlongParallel !== isAlongMeridian;
  });
}

function isOnEarth([lng, lat]: LngLat): boolean {
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90;
}

function isClosed(ring: readonly LngLat[]): boolean {
  return ring.length > 1 && areSame(ring[0], ring.at(-1));
}

function areSame(a: LngLat | undefined, b: LngLat | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

function withoutRepeats(positions: readonly LngLat[]): LngLat[] {
  return positions.filter((position, at) => at === 0 || !areSame(position, positions[at - 1]));
}

/** In degrees of longitude. */
function spanOf(positions: readonly LngLat[]): number {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [lng] of positions) {
    west = Math.min(west, lng);
    east = Math.max(east, lng);
  }
  return east - west;
}
