// Outlines of fences as maps draw them, and the boxes that they lie in. Longitudes continue past the antimeridian.
import type { FenceShape, LngLat } from '../api/fences/fences.ts';
import { degrees, EARTH_RADIUS_METERS, metersToDegrees, placeAt, radians, unwrapped } from './earth.ts';

/** `east` is beyond 180 where the box lies on the antimeridian. */
export interface FenceBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const CIRCLE_STEPS = 64;
/** Step of the arc around a bend or an end of a corridor. */
const ARC_STEP = Math.PI / 8;

/** A closed ring around the inside of the fence. */
export function outlineOf({ geometry, radiusMeters, widthMeters }: FenceShape): LngLat[] {
  switch (geometry.type) {
    case 'Point':
      return circleRing(geometry.coordinates, radiusMeters);
    case 'LineString':
      return corridorOutline(geometry.coordinates, widthMeters);
    case 'Polygon':
      return unwrapped(geometry.coordinates[0] ?? []);
  }
}

/** Closed, counterclockwise as GeoJSON wants it. */
export function circleRing(center: LngLat, radiusMeters: number): LngLat[] {
  const ring = Array.from({ length: CIRCLE_STEPS }, (_, step) =>
    placeAt(center, radiusMeters, -(step * 360) / CIRCLE_STEPS),
  );
  const [first] = ring;
  return first === undefined ? [] : [...ring, first];
}

/** Everything within half the width of the line, rounded at bends and ends. Where the line bends sharply, the ring may overlap itself. */
export function corridorOutline(given: readonly LngLat[], widthMeters: number): LngLat[] {
  const line = unwrapped(given).filter(([lng, lat], at, all) => {
    const before = all[at - 1];
    return before === undefined || before[0] !== lng || before[1] !== lat;
  });
  if (line.length < 2) return [];
  const there = sideOf(line, widthMeters / 2);
  const back = sideOf([...line].reverse(), widthMeters / 2);
  const ring = [...there, ...back];
  const [first] = ring;
  return first === undefined ? [] : [...ring, first];
}

/** The right side of a line, with the arc around its end. */
function sideOf(line: readonly LngLat[], halfMeters: number): LngLat[] {
  const side: LngLat[] = [];
  for (let at = 0; at < line.length; at++) {
    const [before, place, after] = [line[at - 1], line[at], line[at + 1]];
    if (place === undefined) continue;
    const into = before && headingOf(before, place);
    const out = after && headingOf(place, after);
    // Begun by the arc of the other side.
    if (into === undefined) continue;
    side.push(offset(place, halfMeters, into - Math.PI / 2));
    const turn = out === undefined ? Math.PI : shortTurn(out - into);
    const arc = out === undefined || turn > 0 ? turn : 0;
    for (let angle = ARC_STEP; angle < arc; angle += ARC_STEP) {
      side.push(offset(place, halfMeters, into - Math.PI / 2 + angle));
    }
    if (out !== undefined) side.push(offset(place, halfMeters, out - Math.PI / 2));
  }
  return side;
}

/** Counterclockwise from east, on a plane that is true at the first place. */
function headingOf(from: LngLat, to: LngLat): number {
  const scale = Math.cos(radians((from[1] + to[1]) / 2));
  return Math.atan2(to[1] - from[1], (to[0] - from[0]) * scale);
}

function shortTurn(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

function offset([lng, lat]: LngLat, meters: number, angle: number): LngLat {
  const distance = metersToDegrees(meters);
  return [lng + (Math.cos(angle) * distance) / Math.cos(radians(lat)), lat + Math.sin(angle) * distance];
}

export function boundsOfShape({ geometry, radiusMeters, widthMeters }: FenceShape): FenceBounds {
  switch (geometry.type) {
    case 'Point':
      return grown(boundsOf([geometry.coordinates]), radiusMeters);
    case 'LineString':
      return grown(boundsOf(unwrapped(geometry.coordinates)), widthMeters / 2);
    case 'Polygon':
      return boundsOf(unwrapped(geometry.coordinates[0] ?? []));
  }
}

function boundsOf(positions: readonly LngLat[]): FenceBounds {
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [lng, lat] of positions) {
    west = Math.min(west, lng);
    east = Math.max(east, lng);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  // A box that reaches beyond -180 is moved by a whole turn, so that only its east is out of range.
  const turn = west < -180 ? 360 : 0;
  return { west: west + turn, south, east: east + turn, north };
}

function grown({ west, south, east, north }: FenceBounds, meters: number): FenceBounds {
  const lat = metersToDegrees(meters);
  const nearestPole = Math.max(Math.abs(south), Math.abs(north));
  const reach = Math.sin(meters / EARTH_RADIUS_METERS) / Math.cos(radians(Math.min(nearestPole, 90)));
  // Around a pole all longitudes are within reach.
  const lng = reach < 1 && reach >= 0 ? degrees(Math.asin(reach)) : 180;
  const turn = west - lng < -180 ? 360 : 0;
  return { west: west - lng + turn, south: south - lat, east: east + lng + turn, north: north + lat };
}
