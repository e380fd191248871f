// A position in the form from which trips are computed: on the gateway's clock, and without impossible values. Pure.
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import type { Position } from '../../store/fleet/positions.ts';
import type { MeasuredClock } from '../clock/measuredClock.ts';

export type TrackedPosition = Pick<
  Position,
  | 'deviceTimeMs'
  | 'receivedAtMs'
  | 'isLate'
  | 'latitude'
  | 'longitude'
  | 'speedKmh'
  | 'statusBits'
  | 'mileageKm'
  | 'fuelLiters'
>;

export interface TrackPoint {
  /** Time of the gateway's clock. */
  readonly atMs: number;
  /** How far the gateway's clock was ahead of the device's. */
  readonly offsetMs: number;
  /** Whether the place was measured at this moment. */
  readonly hasFix: boolean;
  readonly latitude: number;
  readonly longitude: number;
  /** Negative: unknown. */
  readonly speedKmh: number;
  readonly ignitionOn: boolean;
  /** Null where they aren't reported. */
  readonly mileageKm: number | null;
  readonly fuelLiters: number | null;
}

/** No reporting vehicle is faster. */
export const MAX_SPEED_KMH = 250;
/** 0xFFFF tenths is a sensor without power. */
const MAX_FUEL_LITERS = 6_500;

// The same limits as those of events that are reported late (server/events), which tracks may not import.
/** No terminal stores positions for longer: older ones come from a clock that stood in another year. */
const MAX_LATE_MS = 90 * 86_400_000;
const MAX_AHEAD_MS = 10 * 60_000;

/** Undefined where the position can't be placed in time. */
export function trackPoint(position: TrackedPosition, clock: MeasuredClock): TrackPoint | undefined {
  const { deviceTimeMs, receivedAtMs, isLate = false, latitude, longitude, speedKmh, statusBits } = position;
  const offsetMs = isLate ? clock.offsetAt(deviceTimeMs) : clock.offsetOfLive(deviceTimeMs, receivedAtMs);
  const atMs = deviceTimeMs + offsetMs;
  if (!isReportTime(atMs, receivedAtMs)) return undefined;
  return {
    atMs,
    offsetMs,
    hasFix: hasBit(statusBits, StatusBit.Fixed) && isOnEarth(latitude, longitude),
    latitude,
    longitude,
    speedKmh: speedKmh !== undefined && speedKmh >= 0 && speedKmh <= MAX_SPEED_KMH ? speedKmh : -1,
    ignitionOn: hasBit(statusBits, StatusBit.AccOn),
    mileageKm: known(position.mileageKm, Number.MAX_SAFE_INTEGER),
    fuelLiters: known(position.fuelLiters, MAX_FUEL_LITERS),
  };
}

/** Whether the reported fact can have happened at this time of the gateway's clock. */
export function isReportTime(atMs: number, receivedAtMs: number): boolean {
  return atMs > receivedAtMs - MAX_LATE_MS && atMs <= receivedAtMs + MAX_AHEAD_MS;
}

/** Terminals send zeros for an unknown place. */
function isOnEarth(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
}

function known(value: number | undefined, max: number): number | null {
  return value !== undefined && value > 0 && value <= max ? value : null;
}

/**
 * Order of two points of one moment, whatever order they came in: the first in this order counts. Terminals repeat a position that was not
 * confirmed in time, and send several of one second.
 */
export function comparePoints(left: TrackPoint, right: TrackPoint): number {
  return (
    left.atMs - right.atMs ||
    Number(right.hasFix) - Number(left.hasFix) ||
    left.latitude - right.latitude ||
    left.longitude - right.longitude ||
    left.speedKmh - right.speedKmh ||
    Number(left.ignitionOn) - Number(right.ignitionOn) ||
    (left.mileageKm ?? -1) - (right.mileageKm ?? -1) ||
    (left.fuelLiters ?? -1) - (right.fuelLiters ?? -1) ||
    left.offsetMs - right.offsetMs
  );
}
