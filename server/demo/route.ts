// Where a demo vehicle is at a moment: a closed road around a lake, driven for ever at a changing speed.

export interface RoutePoint {
  /** Signed degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  /** Clockwise from north, 0 to 359. */
  readonly headingDegrees: number;
}

/** Sun Moon Lake, Taiwan. */
const CENTRE = { latitude: 23.8575, longitude: 120.9155 };
const RADIUS_KM = 3.2;
const LAP_MS = 20 * 60_000;
const KM_PER_DEGREE = 111.32;

/** `lapShare` 0 to 1 sets vehicles apart on the same road. */
export function routeAt(wallMs: number, lapShare: number): RoutePoint {
  const angle = 2 * Math.PI * (wallMs / LAP_MS + lapShare);
  const here = pointAt(angle);
  const next = pointAt(angle + 0.001);
  const east = (next.longitude - here.longitude) * Math.cos((here.latitude * Math.PI) / 180);
  const north = next.latitude - here.latitude;
  const heading = (Math.atan2(east, north) * 180) / Math.PI;
  const kmPerRadian = (Math.hypot(east, north) * KM_PER_DEGREE) / 0.001;
  const radiansPerHour = (2 * Math.PI * 3_600_000) / LAP_MS;
  return { ...here, speedKmh: kmPerRadian * radiansPerHour, headingDegrees: Math.round(heading + 360) % 360 };
}

function pointAt(angle: number): { latitude: number; longitude: number } {
  // A second wave makes the shore: a circle would show the same speed for ever.
  const radiusKm = RADIUS_KM * (1 + 0.18 * Math.sin(3 * angle));
  return {
    latitude: CENTRE.latitude + (radiusKm * Math.cos(angle)) / KM_PER_DEGREE,
    longitude:
      CENTRE.longitude + (radiusKm * Math.sin(angle)) / (KM_PER_DEGREE * Math.cos((CENTRE.latitude * Math.PI) / 180)),
  };
}
