// Whether the odometer or the line determines the length of a drive. Pure.
import { MAX_SPEED_KMH } from './trackPoint.ts';
import type { Drive } from './trackState.ts';

interface TripDistance {
  readonly isOdometer: boolean;
  /** Whether the odometer differs from the line by more than is possible: then the line counts. */
  readonly odometerDiffers: boolean;
}

/** A line cuts corners, and never adds distance: an odometer that is lower by this factor stands still at times, or has other units. */
const LEAST_FACTOR = 1.5;
/** An odometer that is higher by more than this factor is wrong too: between close positions a road winds by this much at most. */
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

/** Where no place was measured, as in a tunnel, the line has nothing: there the odometer counts, up to what a vehicle can drive. */
function saysMore(odometerMeters: number, { meters, unmeasuredMs }: Drive): boolean {
  return odometerMeters > meters * MOST_FACTOR + STEP_METERS + unmeasuredMs * MOST_METERS_PER_MS;
}
