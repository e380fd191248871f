// A drive while it goes on, and its consumption. Pure.
import type { Place } from './distance.ts';
import { MAX_SPEED_KMH, type TrackPoint } from './trackPoint.ts';
import type { Drive, DrivePart } from './trackState.ts';

const MS_PER_HOUR = 3_600_000;
/** The odometer counts in tenths of a kilometer. */
const ODOMETER_STEP_KM = 0.1;
/** A smaller rise of the level is sloshing fuel. */
const MIN_FILLING_LITERS = 5;

/** `place`: where the vehicle stood, or was first measured. */
export function beginDrive(from: TrackPoint, place: Place): Drive {
  return {
    fromMs: from.atMs,
    offsetMs: from.offsetMs,
    fromLatitude: place.latitude,
    fromLongitude: place.longitude,
    toMs: from.atMs,
    toLatitude: place.latitude,
    toLongitude: place.longitude,
    meters: 0,
    movingMs: 0,
    idleMs: 0,
    maxSpeedKmh: 0,
    odometerFromKm: from.mileageKm,
    odometerToKm: from.mileageKm,
    odometerAtMs: from.atMs,
    isOdometerWhole: true,
    isOdometerRising: true,
    unmeasuredMs: 0,
    fuelFromLiters: from.fuelLiters,
    fuelToLiters: from.fuelLiters,
    fuelUsedLiters: 0,
    parts: [],
    isTrip: false,
    standing: null,
  };
}

export interface DriveStep {
  readonly day: number;
  readonly elapsedMs: number;
  readonly meters: number;
  /** The present place. */
  readonly place: Place;
}

/** Extends the drive from the last position to this one. */
export function moveOn(drive: Drive, point: TrackPoint, { day, elapsedMs, meters, place }: DriveStep): void {
  const part = partOf(drive, day);
  drive.meters += meters;
  part.meters += meters;
  drive.movingMs += elapsedMs;
  part.movingMs += elapsedMs;
  drive.maxSpeedKmh = Math.max(drive.maxSpeedKmh, point.speedKmh);
  part.maxSpeedKmh = Math.max(part.maxSpeedKmh, point.speedKmh);
  readOdometer(drive, part, point);
  readFuel(drive, point.fuelLiters);
  drive.toMs = point.atMs;
  drive.toLatitude = place.latitude;
  drive.toLongitude = place.longitude;
}

function partOf({ parts }: Drive, day: number): DrivePart {
  const last = parts.at(-1);
  if (last?.day === day) return last;
  const part = { day, meters: 0, odometerKm: 0, movingMs: 0, maxSpeedKmh: 0 };
  parts.push(part);
  return part;
}

function readOdometer(drive: Drive, part: DrivePart, { mileageKm, atMs }: TrackPoint): void {
  if (mileageKm === null) return;
  const elapsedMs = atMs - drive.odometerAtMs;
  drive.odometerAtMs = atMs;
  if (drive.odometerFromKm === null || drive.odometerToKm === null) {
    // It wasn't reported where the drive began, so it only covers a part.
    drive.odometerFromKm = mileageKm;
    drive.odometerToKm = mileageKm;
    drive.isOdometerWhole &&= drive.parts.length === 1 && drive.meters === 0;
    return;
  }
  const risenKm = mileageKm - drive.odometerToKm;
  if (risenKm < 0 || risenKm > (MAX_SPEED_KMH * elapsedMs) / MS_PER_HOUR + ODOMETER_STEP_KM) {
    drive.isOdometerRising = false;
  }
  part.odometerKm += risenKm;
  drive.odometerToKm = mileageKm;
}

function readFuel(drive: Drive, fuelLiters: number | null): void {
  if (fuelLiters === null) return;
  drive.fuelFromLiters ??= fuelLiters;
  drive.fuelToLiters ??= fuelLiters;
  if (fuelLiters - drive.fuelToLiters >= MIN_FILLING_LITERS) {
    drive.fuelUsedLiters += Math.max(0, drive.fuelFromLiters - drive.fuelToLiters);
    drive.fuelFromLiters = fuelLiters;
  }
  drive.fuelToLiters = fuelLiters;
}
