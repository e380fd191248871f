// Distances along a track. Pure.

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const RADIANS_PER_DEGREE = Math.PI / 180;
/** WGS 84. */
const EQUATOR_METERS = 6_378_137;
const ECCENTRICITY_SQUARED = 0.006_694_379_990_14;
const MEAN_RADIUS_METERS = 6_371_009;
/** Up to this distance a piece of the ellipsoid is flat enough: to a tenth of a permille. */
const NEAR_DEGREES = 1;
/** Closer to a pole it isn't. */
const MAX_NEAR_LATITUDE = 85;

/** Within a permille of the geodesic up to a degree apart, and within 0.6 % beyond. */
export function metersBetween(from: Place, to: Place): number {
  const north = to.latitude - from.latitude;
  const turned = Math.abs(to.longitude - from.longitude);
  // This is the shorter way, also across the date line.
  const east = Math.min(turned, 360 - turned);
  const isNear = Math.abs(north) <= NEAR_DEGREES && east <= NEAR_DEGREES;
  return isNear && Math.abs(from.latitude) < MAX_NEAR_LATITUDE ? nearMeters(from, north, east) : farMeters(from, to);
}

/** Distance by the radii of curvature in the middle. */
function nearMeters({ latitude }: Place, north: number, east: number): number {
  const middle = (latitude + north / 2) * RADIANS_PER_DEGREE;
  const sine = Math.sin(middle);
  const flattening = 1 - ECCENTRICITY_SQUARED * sine * sine;
  const acrossRadius = EQUATOR_METERS / Math.sqrt(flattening);
  const alongRadius = (acrossRadius * (1 - ECCENTRICITY_SQUARED)) / flattening;
  const northMeters = north * RADIANS_PER_DEGREE * alongRadius;
  const eastMeters = east * RADIANS_PER_DEGREE * acrossRadius * Math.cos(middle);
  return Math.sqrt(northMeters * northMeters + eastMeters * eastMeters);
}

/** Distance along the great circle of a sphere. */
function farMeters(from: Place, to: Place): number {
  const fromLatitude = from.latitude * RADIANS_PER_DEGREE;
  const toLatitude = to.latitude * RADIANS_PER_DEGREE;
  const north = Math.sin((toLatitude - fromLatitude) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const chord = north * north + Math.cos(fromLatitude) * Math.cos(toLatitude) * east * east;
  return 2 * MEAN_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
}
