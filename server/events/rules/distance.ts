const METERS_PER_DEGREE = 111_320;
const RADIANS_PER_DEGREE = Math.PI / 180;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Meters from coordinates to a place, exact to a percent up to a few hundred kilometers; NaN where one isn't known. */
export function metersTo(place: Place, fromLatitude: number, fromLongitude: number): number {
  const north = place.latitude - fromLatitude;
  const degrees = Math.abs(place.longitude - fromLongitude);
  // The shorter way, also across the date line.
  const east = Math.min(degrees, 360 - degrees) * Math.cos(((fromLatitude + place.latitude) / 2) * RADIANS_PER_DEGREE);
  return Math.sqrt(north * north + east * east) * METERS_PER_DEGREE;
}
