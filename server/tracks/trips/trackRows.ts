// The rows of a track: trips, stops, gaps and sums of days. Pure.
import type { DayRow, StopRow, TripRow } from '../../store/tracks/trackRows.ts';
import type { DaySums, Drive, OpenStop } from './trackState.ts';
import { distanceOf } from './tripDistance.ts';

/** `openAtMs`: last position so far of a trip under way; undefined: it has ended. */
export function tripRow(drive: Drive, openAtMs: number | undefined): TripRow {
  const { isOdometer, odometerDiffers } = distanceOf(drive);
  const meters = Math.round(metersOf(drive, isOdometer));
  const fuelLiters = fuelUsedOf(drive);
  return {
    fromMs: drive.fromMs,
    toMs: openAtMs ?? drive.toMs,
    clockOffsetMs: drive.offsetMs,
    isOpen: openAtMs !== undefined,
    fromLatitude: drive.fromLatitude,
    fromLongitude: drive.fromLongitude,
    toLatitude: drive.toLatitude,
    toLongitude: drive.toLongitude,
    meters,
    isOdometer,
    odometerDiffers,
    movingMs: drive.movingMs,
    idleMs: drive.idleMs + (openAtMs === undefined ? 0 : (drive.standing?.idleMs ?? 0)),
    maxSpeedKmh: drive.maxSpeedKmh,
    meanSpeedKmh: drive.movingMs === 0 ? 0 : Math.round((meters * 36_000) / drive.movingMs) / 10,
    odometerFromKm: drive.odometerFromKm,
    odometerToKm: drive.odometerToKm,
    fuelLiters: fuelLiters === null ? null : Math.round(fuelLiters * 10) / 10,
  };
}

export function stopRow(stop: OpenStop, toMs: number, isOpen: boolean): StopRow {
  return {
    fromMs: stop.fromMs,
    toMs,
    clockOffsetMs: stop.offsetMs,
    isOpen,
    latitude: stop.latitude,
    longitude: stop.longitude,
    idleMs: stop.idleMs,
  };
}

/** Sums of a day, including what an open trip adds so far. */
export function dayTotals(sums: DaySums, drive: Drive | null): DayRow {
  const total = { ...sums };
  if (drive?.isTrip === true) addTrip([total], drive);
  return {
    localDay: total.day,
    meters: Math.round(total.meters),
    isOdometer: total.odometerTrips > 0 && total.lineTrips === 0,
    movingMs: total.movingMs,
    idleMs: total.idleMs,
    ignitionMs: total.ignitionMs,
    stops: total.stops,
    maxSpeedKmh: total.maxSpeedKmh,
    points: total.points,
  };
}

/** Adds a trip to those of its days that are in the list. */
export function addTrip(days: readonly DaySums[], drive: Drive): void {
  const { isOdometer } = distanceOf(drive);
  for (const part of drive.parts) {
    const sums = days.find(({ day }) => day === part.day);
    if (sums === undefined) continue;
    sums.meters += isOdometer ? part.odometerKm * 1_000 : part.meters;
    sums.movingMs += part.movingMs;
    sums.maxSpeedKmh = Math.max(sums.maxSpeedKmh, part.maxSpeedKmh);
    if (isOdometer) sums.odometerTrips++;
    else sums.lineTrips++;
  }
}

function metersOf(drive: Drive, isOdometer: boolean): number {
  if (!isOdometer) return drive.meters;
  return drive.parts.reduce((sum, part) => sum + part.odometerKm * 1_000, 0);
}

function fuelUsedOf({ fuelFromLiters, fuelToLiters, fuelUsedLiters }: Drive): number | null {
  if (fuelFromLiters === null || fuelToLiters === null) return null;
  return fuelUsedLiters + Math.max(0, fuelFromLiters - fuelToLiters);
}
