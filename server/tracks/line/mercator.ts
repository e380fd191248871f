// The plane that maps are drawn on (web mercator), in degrees of longitude at the equator both ways. Pure.

/** Maps end here, where the plane is as high as it is wide. */
const MAX_LATITUDE = 85.051_128_779_806_59;
const RADIANS = Math.PI / 180;

export function mercatorY(latitude: number): number {
  const shown = Math.min(Math.max(latitude, -MAX_LATITUDE), MAX_LATITUDE);
  return Math.log(Math.tan(Math.PI / 4 + (shown * RADIANS) / 2)) / RADIANS;
}

/** The same longitude, the whole turns around the earth added that bring it next to another one. */
export function nearestTurn(longitude: number, besideX: number): number {
  return longitude + 360 * Math.round((besideX - longitude) / 360);
}
