// What the engine asks of a fence's outline, whatever kind it is.
import type { Place } from './earth.ts';

/** Degrees. `west` lies in [-180, 180); `east` may lie beyond 180, across the antimeridian. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Where a place is along a line. */
export interface Progress {
  /** From its beginning to the point of it that is nearest. */
  readonly alongMeters: number;
  /** Of the line there, clockwise from north. */
  readonly bearingDeg: number;
}

export interface Shape {
  readonly box: Box;
  contains(latitude: number, longitude: number): boolean;
  /** To the nearest point of the border, from inside or outside. */
  borderMeters(latitude: number, longitude: number): number;
  /** Whether the straight way between two places outside it leads through it. */
  isCrossed(from: Place, to: Place): boolean;
  /** Undefined for a shape without a direction. */
  progressAt?(latitude: number, longitude: number): Progress;
}

/** The longitude as the box has it, or one that lies outside. */
export function longitudeIn(box: Box, longitude: number): number {
  if (longitude < box.west) return longitude + 360;
  return longitude > box.east ? longitude - 360 : longitude;
}

export function isInBox(box: Box, latitude: number, longitude: number): boolean {
  if (latitude < box.south || latitude > box.north) return false;
  const near = longitudeIn(box, longitude);
  return near >= box.west && near <= box.east;
}

/** With its west where boxes have it. */
export function boxOf(south: number, west: number, north: number, east: number): Box {
  if (east - west >= 360) return { south, west: -180, north, east: 180 };
  // Whole turns only: a remainder would be rounded, and the box with it.
  const turns = Math.floor((west + 180) / 360) * 360;
  return { south, west: west - turns, north, east: east - turns };
}
