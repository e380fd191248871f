// Positions as rows of a table. Pure.
import type { TrackPoint } from '../../../shared/protocol/api/tracks/track.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';

/** Zones change their offset at whole quarters of an hour, and asking the platform for an offset takes longer than the rest of a row. */
const QUARTER_MS = 15 * 60_000;

/** How far a zone's local time is ahead of UTC. Made for moments that are asked for in order. */
export function offsetReader(timeZone: string): (atMs: number) => number {
  let quarter = Number.NaN;
  let offsetMs = 0;
  return (atMs) => {
    const asked = Math.floor(atMs / QUARTER_MS);
    if (asked !== quarter) {
      quarter = asked;
      offsetMs = wallClockMs(asked * QUARTER_MS, timeZone) - asked * QUARTER_MS;
    }
    return offsetMs;
  };
}

/** Local time with offset, such as `2026-11-23T08:00:05.000+08:00`. */
export function zonedTime(atMs: number, offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const zone = `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return new Date(atMs + offsetMs).toISOString().replace('Z', zone);
}

/** Column names for programs. */
export const TRACK_CSV_COLUMNS = [
  ...(['time', 'device time', 'received', 'late', 'fix', 'latitude', 'longitude', 'altitude', 'speed'] as const),
  ...(['heading', 'ignition', 'alarms', 'mileage', 'fuel', 'cabin', 'signal'] as const),
] as const;

export function csvCellsOf(timeZone: string): (point: TrackPoint) => readonly (string | number)[] {
  const offsetOf = offsetReader(timeZone);
  const time = (atMs: number): string => zonedTime(atMs, offsetOf(atMs));
  const flag = (isSet: boolean): string => (isSet ? '1' : '0');
  return (point) => [
    time(point.atMs),
    time(point.deviceTimeMs),
    time(point.receivedAtMs),
    flag(point.isLate),
    flag(point.hasFix),
    point.lat,
    point.lng,
    point.altitudeM ?? '',
    point.speedKmh ?? '',
    point.headingDeg ?? '',
    flag(point.ignitionOn),
    point.alarmBits,
    point.mileageKm ?? '',
    point.fuelLiters ?? '',
    point.cabinCelsius ?? '',
    point.signal ?? '',
  ];
}
