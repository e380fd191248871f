// Web Mercator, as the map itself uses it: the world is a square from 0 to 1, x to the east, y to the south. Pure.

export interface WorldPoint {
  readonly x: number;
  readonly y: number;
}

/** Pixels of the whole world's side at zoom 0. */
export const WORLD_PIXELS = 512;
const MAX_LATITUDE = 85.051129;

export function toWorld(lat: number, lng: number): WorldPoint {
  const sine = Math.sin((clampLatitude(lat) * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function toDegrees({ x, y }: WorldPoint): { readonly lat: number; readonly lng: number } {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return { lat, lng: (x - 0.5) * 360 };
}

export function worldSize(zoom: number): number {
  return WORLD_PIXELS * 2 ** zoom;
}

function clampLatitude(lat: number): number {
  return Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, lat));
}
