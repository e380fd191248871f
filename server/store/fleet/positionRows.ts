// Rows of the `position` table as positions, and back.
import type { Insertable, Selectable } from 'kysely';
import { knownValue, UNKNOWN_NUMBER } from '../../../shared/protocol/positions/knownValues.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { factOfItems } from './blocks/itemFacts.ts';
import type { Fact, StoredPosition } from './blocks/storedPosition.ts';
import type { Position } from './position.ts';
import type { PositionTable } from './tables.ts';

export type PositionRow = Selectable<PositionTable>;

/**
 * Half open, by the device's clock. One bound on each side: of two on the same side SQLite looks one up in the index, and goes through all
 * rows that only the other one leaves out.
 */
export function rowsBetween(
  db: StoreDb,
  incarnation: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
) {
  return db
    .selectFrom('position')
    .where('incarnation', '=', incarnation)
    .where('device_time_ms', '>=', fromMs)
    .where('device_time_ms', '<', toMs);
}

export function toRow(position: Position): Insertable<PositionTable> {
  return {
    incarnation: position.incarnation,
    device_time_ms: position.deviceTimeMs,
    received_at_ms: position.receivedAtMs,
    latitude: position.latitude,
    longitude: position.longitude,
    altitude_m: position.altitudeM ?? UNKNOWN_NUMBER,
    speed_kmh: position.speedKmh ?? UNKNOWN_NUMBER,
    heading_deg: position.headingDeg ?? UNKNOWN_NUMBER,
    alarm_bits: position.alarmBits,
    status_bits: position.statusBits,
    extra: JSON.stringify(position.extra),
    late: position.isLate === true ? 1 : 0,
    mileage_km: position.mileageKm ?? null,
    fuel_liters: position.fuelLiters ?? null,
    cabin_celsius: position.cabinCelsius ?? null,
    signal: position.signal ?? null,
  };
}

export function storedOf(row: PositionRow): StoredPosition {
  return {
    id: row.id,
    deviceTimeMs: row.device_time_ms,
    receivedAtMs: row.received_at_ms,
    latitude: row.latitude,
    longitude: row.longitude,
    altitudeM: row.altitude_m,
    speedKmh: row.speed_kmh,
    headingDeg: row.heading_deg,
    alarmBits: row.alarm_bits,
    statusBits: row.status_bits,
    late: row.late,
    extra: row.extra,
    mileageKm: row.mileage_km ?? Number.NaN,
    fuelLiters: row.fuel_liters ?? Number.NaN,
    cabinCelsius: row.cabin_celsius ?? Number.NaN,
    signal: row.signal ?? Number.NaN,
  };
}

export interface PositionOwner {
  readonly deviceId: string;
  readonly incarnation: number;
}

export function positionOf(stored: StoredPosition, { deviceId, incarnation }: PositionOwner): Position {
  const extra = JSON.parse(stored.extra) as Readonly<Record<string, unknown>>;
  const fact = (name: Fact): number | undefined => {
    const value = Number.isNaN(stored[name]) ? factOfItems(extra, name) : stored[name];
    return knownValue(name, value);
  };
  return {
    deviceId,
    incarnation,
    deviceTimeMs: wallMs(stored.deviceTimeMs),
    receivedAtMs: wallMs(stored.receivedAtMs),
    latitude: stored.latitude,
    longitude: stored.longitude,
    altitudeM: knownValue('altitudeM', stored.altitudeM),
    speedKmh: knownValue('speedKmh', stored.speedKmh),
    headingDeg: knownValue('headingDeg', stored.headingDeg),
    alarmBits: stored.alarmBits,
    statusBits: stored.statusBits,
    extra,
    isLate: stored.late === 1,
    mileageKm: fact('mileageKm'),
    fuelLiters: fact('fuelLiters'),
    cabinCelsius: fact('cabinCelsius'),
    signal: fact('signal'),
  };
}
