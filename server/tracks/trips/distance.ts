// Distances along a track. Pure.

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Of the sphere with the earth's surface: off by at most 0.4 % in any direction at any latitude. */
const EARTH_RADIUS_METERS = 6_371_007;

/** Along the great circle. */
export function metersBetween(from: Place, to: Place): number {
  const fromLatitude = from.latitude * RADIANS_PER_DEGREE;
  const toLatitude = to.latitude * RADIANS_PER_DEGREE;
  const north = Math.sin((toLatitude - fromLatitude) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const chord = north * north + Math.cos(fromLatitude) * Math.cos(toLatitude) * east * east;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
