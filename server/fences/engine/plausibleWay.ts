// Which fixes can follow one another. Pure.
import { GAP_MS } from '../../events/rules/deviceFacts.ts';
import { METERS_PER_DEGREE, metersBetween, type Place } from '../geometry/earth.ts';
import type { FencePoint } from './fencePoint.ts';

const MAX_KMH = 250;
/** What drift and whole seconds may add. */
const UNSURE_METERS = 50;
/** A way that is shorter may be drift. */
const MIN_WAY_METERS = 30;
const MIN_WAY_KMH = 5;
const KMH_PER_METER_A_MS = 3_600;

type Fix = Pick<FencePoint, 'deviceMs' | 'latitude' | 'longitude' | 'motion'>;

export function canFollow(before: Fix, fix: Fix): boolean {
  const ms = Math.max(0, fix.deviceMs - before.deviceMs);
  const mostMeters = UNSURE_METERS + (MAX_KMH * ms) / KMH_PER_METER_A_MS;
  // Along the meridian and then along the parallel is further than the straight way, and nearly always near enough.
  const degrees = Math.abs(fix.latitude - before.latitude) + Math.abs(fix.longitude - before.longitude);
  return degrees * METERS_PER_DEGREE <= mostMeters || metersBetween(before, fix) <= mostMeters;
}

/** Whether the vehicle has driven straight from one to the other, as far as it can be known. */
export function isWay(before: Fix, fix: Fix): boolean {
  const ms = fix.deviceMs - before.deviceMs;
  if (ms <= 0 || ms >= GAP_MS || !isFlat(before, fix)) return false;
  if (before.motion === 'still' && fix.motion === 'still') return false;
  const meters = metersBetween(before, fix);
  return meters >= MIN_WAY_METERS && (meters / ms) * KMH_PER_METER_A_MS >= MIN_WAY_KMH;
}

/** About the poles a straight line in degrees is no way. */
const MOST_LATITUDE = 85;

function isFlat(...places: readonly Place[]): boolean {
  return places.every(({ latitude }) => Math.abs(latitude) <= MOST_LATITUDE);
}

const CLOCK_STEP_MS = 10 * 60_000;

/** How far the device's clock was set between two reports; 0 where no more than the network lies between them. */
export function clockStepMs(before: Pick<FencePoint, 'atMs' | 'deviceMs'>, point: typeof before): number {
  const stepMs = point.deviceMs - before.deviceMs - (point.atMs - before.atMs);
  return Math.abs(stepMs) > CLOCK_STEP_MS ? stepMs : 0;
}
