// The engine's queries of a fence's outline, whatever its kind.
import { METERS_PER_DEGREE, type Place } from './earth.ts';

/** Degrees. `west` lies in [-180, 180); `east` may lie beyond 180, across the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Where a place is along a line. */
export interface Progress {
  /** Distance from its beginning to the nearest point on it. */
  readonly alongMeters: number;
  /** Bearing of the line at that point, clockwise from north. */
  readonly bearingDeg: number;
}

export interface Shape {
  readonly box: Box;
  contains(latitude: number, longitude: number): boolean;
  /** Distance to the nearest point of the border, from inside or outside. */
  borderMeters(latitude: number, longitude: number): number;
  /** Whether the straight way between two places outside it leads through it. */
  isCrossed(from: Place, to: Place): boolean;
  /**
   * Whether the border may lead through the box, neither side of which lies near the antimeridian. If it doesn't, all of the box is
   * inside or all of it outside, and no way within the box crosses the shape.
   */
  isBorderIn(box: Box): boolean;
  /** Undefined for a shape without a direction. */
  progressAt?(latitude: number, longitude: number): Progress;
}

/** The longitude in the box's range, or one that lies outside. */
export function longitudeIn(box: Box, longitude: number): number {
  if (longitude < box.west) return longitude + 360;
  return longitude > box.east ? longitude - 360 : longitude;
}

export function isInBox(box: Box, latitude: number, longitude: number): boolean {
  if (latitude < box.south || latitude > box.north) return false;
  const near = longitudeIn(box, longitude);
  return near >= box.west && near <= box.east;
}

/** Degrees by which rounding may move a border: some centimeters. */
const MARGIN_DEGREES = 0.000_000_5;

/** The box turned to the other box's range of longitudes, and grown by what rounding may do. */
export function boxNear(box: Box, { west }: Box): Box {
  const turn = box.east < west ? 360 : 0;
  return {
    south: box.south - MARGIN_DEGREES,
    west: box.west + turn - MARGIN_DEGREES,
    north: box.north + MARGIN_DEGREES,
    east: box.east + turn + MARGIN_DEGREES,
  };
}

export function doOverlap(left: Box, right: Box): boolean {
  return left.south <= right.north && left.north >= right.south && left.west <= right.east && left.east >= right.west;
}

export function middleOfBox({ south, west, north, east }: Box): Place {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}

/** Distance from the middle to the corners, where a degree of longitude has `eastMeters`. */
export function reachMeters({ south, west, north, east }: Box, eastMeters: number): number {
  return Math.hypot(((north - south) / 2) * METERS_PER_DEGREE, ((east - west) / 2) * eastMeters);
}

/** The box with its west in the range of boxes. */
export function boxOf(south: number, west: number, north: number, east: number): Box {
  if (east - west >= 360) return { south, west: -180, north, east: 180 };
  // Whole turns only: a remainder would be rounded, and the box with it.
  const turns = Math.floor((west + 180) / 360) * 360;
  return { south, west: west - turns, north, east: east - turns };
}
