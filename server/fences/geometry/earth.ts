// Lengths on the earth, taken as a sphere, in meters. Pure.

/** The mean radius, which GeoJSON tools use. */
export const EARTH_RADIUS_METERS = 6_371_008.8;
const RADIANS_PER_DEGREE = Math.PI / 180;
export const METERS_PER_DEGREE = EARTH_RADIUS_METERS * RADIANS_PER_DEGREE;

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The distance along the great circle. */
export function metersBetween(from: Place, to: Place): number {
  const north = Math.sin(((to.latitude - from.latitude) * RADIANS_PER_DEGREE) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const cosines = Math.cos(from.latitude * RADIANS_PER_DEGREE) * Math.cos(to.latitude * RADIANS_PER_DEGREE);
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(north * north + cosines * east * east)));
}

/** Length of a degree of longitude at this latitude. */
export function eastMetersPerDegree(latitude: number): number {
  return METERS_PER_DEGREE * Math.cos(latitude * RADIANS_PER_DEGREE);
}

/** The longitude plus or minus whole turns, so that it lies within half a turn of the other. */
export function longitudeNear(longitude: number, other: number): number {
  const turns = Math.round((longitude - other) / 360);
  return turns === 0 ? longitude : longitude - turns * 360;
}

/** How far the angle is from another one, 0 to 180. */
export function degreesBetween(left: number, right: number): number {
  const difference = Math.abs(left - right) % 360;
  return difference > 180 ? 360 - difference : difference;
}

/** The bearing of the straight way between two near places, clockwise from north. */
export function bearingBetween(from: Place, to: Place): number {
  const north = to.latitude - from.latitude;
  const middle = ((from.latitude + to.latitude) / 2) * RADIANS_PER_DEGREE;
  const east = (longitudeNear(to.longitude, from.longitude) - from.longitude) * Math.cos(middle);
  return (Math.atan2(east, north) / RADIANS_PER_DEGREE + 360) % 360;
}
