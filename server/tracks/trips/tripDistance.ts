// Whether the odometer or the line says how far a drive went. Pure.
import { MAX_SPEED_KMH } from './trackPoint.ts';
import type { Drive } from './trackState.ts';

interface TripDistance {
  readonly isOdometer: boolean;
  /** The odometer says something else than the line by more than can be: the line counts. */
  readonly odometerDiffers: boolean;
}

/** A line cuts corners, and never adds distance: an odometer that says less by such a factor stands still at times, or counts in other units. */
const LEAST_FACTOR = 1.5;
/** One that says more than this many times as much, likewise: so much a road winds between positions that are not far apart. */
const MOST_FACTOR = 2;
/** The odometer counts in tenths of a kilometer, and a drive begins and ends between two of them. */
const STEP_METERS = 200;
const MOST_METERS_PER_MS = MAX_SPEED_KMH / 3_600;

export function distanceOf(drive: Drive): TripDistance {
  const { odometerFromKm, odometerToKm, isOdometerWhole, isOdometerRising } = drive;
  if (!isOdometerWhole || odometerFromKm === null || odometerToKm === null)
    return { isOdometer: false, odometerDiffers: false };
  const odometerMeters = (odometerToKm - odometerFromKm) * 1_000;
  const differs = saysLess(odometerMeters, drive.meters) || saysMore(odometerMeters, drive);
  return { isOdometer: isOdometerRising && odometerMeters > 0 && !differs, odometerDiffers: differs };
}

function saysLess(odometerMeters: number, lineMeters: number): boolean {
  return lineMeters > odometerMeters * LEAST_FACTOR + STEP_METERS;
}

/** Where no place was measured, as in a tunnel, the line has nothing: the odometer is the better one there, up to what a vehicle can drive. */
function saysMore(odometerMeters: number, { meters, unmeasuredMs }: Drive): boolean {
  return odometerMeters > meters * MOST_FACTOR + STEP_METERS + unmeasuredMs * MOST_METERS_PER_MS;
}
