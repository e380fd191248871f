// Distances and areas on a sphere, limited to what the outlines of fences need.
import type { LngLat } from '../api/fences/fences.ts';

/** Mean radius, as turf has it. */
export const EARTH_RADIUS_METERS = 6_371_008.8;
const METERS_A_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180;

export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
export const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** Degrees of latitude, or of longitude at the equator. */
export function metersToDegrees(meters: number): number {
  return meters / METERS_A_DEGREE;
}

/**
 * The same positions with longitudes that continue past the antimeridian, beyond 180 or below -180, so that each edge is the
 * shorter way between its ends.
 */
export function unwrapped(positions: readonly LngLat[]): LngLat[] {
  let before: number | undefined;
  return positions.map(([lng, lat]) => {
    const turns = before === undefined ? 0 : Math.round((before - lng) / 360);
    before = lng + turns * 360;
    return [before, lat];
  });
}

/** Area of a ring that is given without its last position. */
export function ringAreaM2(ring: readonly LngLat[]): number {
  let sum = 0;
  for (const [at, [lng, lat]] of ring.entries()) {
    const [nextLng, nextLat] = ring[(at + 1) % ring.length] ?? [lng, lat];
    sum += radians(nextLng - lng) * (2 + Math.sin(radians(lat)) + Math.sin(radians(nextLat)));
  }
  return Math.abs((sum * EARTH_RADIUS_METERS ** 2) / 2);
}

/** A place in a direction, in degrees clockwise from north. Its longitude continues past the antimeridian. */
export function placeAt([lng, lat]: LngLat, meters: number, direction: number): LngLat {
  const angle = meters / EARTH_RADIUS_METERS;
  const [phi, theta] = [radians(lat), radians(direction)];
  const sinPhi = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(theta);
  const east = Math.sin(theta) * Math.sin(angle) * Math.cos(phi);
  const north = Math.cos(angle) - Math.sin(phi) * sinPhi;
  return [lng + degrees(Math.atan2(east, north)), degrees(Math.asin(Math.min(1, Math.max(-1, sinPhi))))];
}
