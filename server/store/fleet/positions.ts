// The only module that knows the `position` table.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import type { PositionTable } from './tables.ts';

export interface Position {
  readonly deviceId: string;
  /** Of the device whose terminal reported it: another one may have the id by the time it is stored. */
  readonly incarnation: number;
  /** The device's clock. */
  readonly deviceTimeMs: WallMs;
  /** The gateway's clock. */
  readonly receivedAtMs: WallMs;
  /** Degrees, WGS 84, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeM: number;
  readonly speedKmh: number;
  /** Clockwise from north. */
  readonly headingDeg: number;
  readonly alarmBits: number;
  readonly statusBits: number;
  /** The report's additional items. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Recorded without a connection, and sent afterwards. Left out: reported as it happened. */
  readonly isLate?: boolean;
  /** What the items say of these; left out where they don't. */
  readonly mileageKm?: number | undefined;
  readonly fuelLiters?: number | undefined;
  readonly cabinCelsius?: number | undefined;
  /** Strength of the radio signal, item 0x30. */
  readonly signal?: number | undefined;
}

/** Positions are found by the id of a device that is there: what a former one with that id reported is not its own. */
export interface PositionStore {
  /** Keeps all of them or none. Throws when a device is unknown. */
  append(batch: readonly Position[]): Promise<void>;
  latest(deviceId: string): Promise<Position | undefined>;
  /** Those of the half-open range [fromMs, toMs) of the device's clock, oldest first. */
  between(
    deviceId: string,
    range: { readonly fromMs: number; readonly toMs: number },
    limit: number,
  ): Promise<Position[]>;
  /** By the device's clock, of the latest but `count` - 1 of the range; undefined where it has fewer. */
  timeOfLatest(
    deviceId: string,
    range: { readonly fromMs: number; readonly toMs: number },
    count: number,
  ): Promise<WallMs | undefined>;
}

/** SQLite takes 32,766 parameters a statement, PostgreSQL 65,535; a row has sixteen. */
const ROWS_PER_STATEMENT = 1_000;

/** `reading`: for what may be long. */
export function createPositionStore(db: StoreDb, reading: StoreDb): PositionStore {
  const ofDevice = (on: StoreDb, deviceId: string) =>
    on
      .selectFrom('position')
      .innerJoin('device', 'device.incarnation', 'position.incarnation')
      .selectAll('position')
      .select('device.device_id')
      .where('device.device_id', '=', deviceId);
  return {
    append: async (batch) => {
      const rows = batch.map(toRow);
      if (rows.length === 0) return;
      if (rows.length <= ROWS_PER_STATEMENT) await db.insertInto('position').values(rows).execute();
      else await appendMany(db, rows);
    },
    latest: async (deviceId) => {
      const rows = ofDevice(db, deviceId).orderBy('position.device_time_ms', 'desc').orderBy('position.id', 'desc');
      const row = await rows.limit(1).executeTakeFirst();
      return row === undefined ? undefined : toPosition(row);
    },
    between: async (deviceId, { fromMs, toMs }, limit) => {
      const inRange = ofDevice(reading, deviceId)
        .where('position.device_time_ms', '>=', fromMs)
        .where('position.device_time_ms', '<', toMs);
      const rows = await inRange.orderBy('position.device_time_ms').orderBy('position.id').limit(limit).execute();
      return rows.map(toPosition);
    },
    timeOfLatest: async (deviceId, { fromMs, toMs }, count) => {
      const times = reading
        .selectFrom('position')
        .innerJoin('device', 'device.incarnation', 'position.incarnation')
        .select('position.device_time_ms')
        .where('device.device_id', '=', deviceId)
        .where('position.device_time_ms', '>=', fromMs)
        .where('position.device_time_ms', '<', toMs)
        .orderBy('position.device_time_ms', 'desc');
      const row = await times
        .limit(1)
        .offset(count - 1)
        .executeTakeFirst();
      return row === undefined ? undefined : wallMs(row.device_time_ms);
    },
  };
}

type PositionRow = Omit<Selectable<PositionTable>, 'id'>;

function appendMany(db: StoreDb, rows: readonly PositionRow[]): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + ROWS_PER_STATEMENT);
      await transaction.insertInto('position').values(part).execute();
    }
  });
}

function toRow(position: Position): PositionRow {
  return {
    incarnation: position.incarnation,
    device_time_ms: position.deviceTimeMs,
    received_at_ms: position.receivedAtMs,
    latitude: position.latitude,
    longitude: position.longitude,
    altitude_m: position.altitudeM,
    speed_kmh: position.speedKmh,
    heading_deg: position.headingDeg,
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

function toPosition(row: Selectable<PositionTable> & { readonly device_id: string }): Position {
  return {
    deviceId: row.device_id,
    incarnation: row.incarnation,
    deviceTimeMs: wallMs(row.device_time_ms),
    receivedAtMs: wallMs(row.received_at_ms),
    latitude: row.latitude,
    longitude: row.longitude,
    altitudeM: row.altitude_m,
    speedKmh: row.speed_kmh,
    headingDeg: row.heading_deg,
    alarmBits: row.alarm_bits,
    statusBits: row.status_bits,
    extra: JSON.parse(row.extra) as Readonly<Record<string, unknown>>,
    isLate: row.late === 1,
    mileageKm: row.mileage_km ?? undefined,
    fuelLiters: row.fuel_liters ?? undefined,
    cabinCelsius: row.cabin_celsius ?? undefined,
    signal: row.signal ?? undefined,
  };
}
