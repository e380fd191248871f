// Vehicles that drive: each goes around a circle of ten kilometers, at a speed of its own, somewhere in the region of the geofences.
import { METERS_PER_DEGREE } from '../../../server/fences/geometry/earth.ts';
import { GEOFENCE_REGION } from './geofences.ts';

export interface Driven {
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly direction: number;
}

const CIRCLE_METERS = 5_000;
const SLOWEST_KMH = 40;
const FASTEST_KMH = 60;
/** The fractional parts of these factors times consecutive numbers are evenly spread. */
const NORTH_SHARE = 0.754_877_67;
const EAST_SHARE = 0.569_840_29;

export function drivenAt(vehicle: number, atMs: number): Driven {
  const { south, west, north, east } = GEOFENCE_REGION;
  const speedKmh = SLOWEST_KMH + (vehicle % (FASTEST_KMH - SLOWEST_KMH));
  const turned = ((speedKmh / 3.6) * (atMs / 1_000)) / CIRCLE_METERS + vehicle * 2.4;
  const up = CIRCLE_METERS / METERS_PER_DEGREE;
  const latitude = south + (north - south) * ((vehicle * NORTH_SHARE) % 1) + up * Math.sin(turned);
  const side = up / Math.cos((latitude * Math.PI) / 180);
  const longitude = west + (east - west) * ((vehicle * EAST_SHARE) % 1) + side * Math.cos(turned);
  const direction = Math.floor(((360 - (turned * 180) / Math.PI) % 360) + 360) % 360;
  return { latitude: sixDigits(latitude), longitude: sixDigits(longitude), speedKmh, direction };
}

/** Degrees with the digits that terminals report. */
function sixDigits(degrees: number): number {
  return Math.round(degrees * 1_000_000) / 1_000_000;
}
