// A gateway's database with a vehicle that has driven for a month, and seven that have driven for three days. As a gateway that has run
// for so long has it: the last two days are rows, and the rest is packed.
import type { Insertable } from 'kysely';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { splitPositions } from '../../../server/store/fleet/blocks/splitting.ts';
import type { StoredPosition } from '../../../server/store/fleet/blocks/storedPosition.ts';
import { blockRowOf } from '../../../server/store/fleet/positionPacking.ts';
import type { PositionTable } from '../../../server/store/fleet/tables.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { DAY_MS, drivenPositions } from './drivenMonth.ts';

export const READER = 'reader';
export const DAYS = 30;
const ROW_DAYS = 2;
const OTHERS_DAYS = 3;
/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 1_000;
const VEHICLES = 8;

export interface Filled {
  /** The first one has driven for a month. */
  readonly deviceIds: readonly string[];
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export async function fillTracks(stores: Stores, db: StoreDb): Promise<Filled> {
  // What was driven until midnight: the hours of the replay are the same whenever the bench runs.
  const toMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const fromMs = toMs - DAYS * DAY_MS;
  const deviceGroup = await stores.deviceGroups.insert('All');
  const memberGroup = await stores.memberGroups.insert({ name: 'All' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const user = await stores.users.insert({ username: READER, passwordHash, permissions: [] }, wallMs(Date.now()));
  await stores.memberGroups.setGroupsOfUser(user, [memberGroup]);
  const incarnations: number[] = [];
  const deviceIds = Array.from({ length: VEHICLES }, (_, number) => `BUS${number + 1}`);
  for (const [number, deviceId] of deviceIds.entries()) {
    const { incarnation } = await stores.devices.insert({ deviceId, name: `Bus ${number + 1}`, chn: 1, deviceGroup });
    const beginMs = number === 0 ? fromMs : toMs - OTHERS_DAYS * DAY_MS;
    await store(db, incarnation, drivenPositions({ seed: 7 + number, fromMs: beginMs, toMs }));
    incarnations.push(incarnation);
  }
  return { deviceIds, incarnation: incarnations[0] ?? 0, fromMs, toMs };
}

async function store(db: StoreDb, incarnation: number, positions: readonly StoredPosition[]): Promise<void> {
  const rowsFromMs = (positions.at(-1)?.deviceTimeMs ?? 0) - ROW_DAYS * DAY_MS;
  const packed = positions.filter(({ deviceTimeMs }) => deviceTimeMs < rowsFromMs);
  const rows = positions.slice(packed.length);
  const blocks = await Promise.all(splitPositions(packed, true).map((part) => blockRowOf(incarnation, part)));
  await db.transaction().execute(async (work) => {
    for (const block of blocks) await work.insertInto('position_block').values(block).execute();
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + ROWS_PER_STATEMENT).map((row) => rowOf(incarnation, row));
      await work.insertInto('position').values(part).execute();
    }
  });
}

/** Numbered by the database: another vehicle may have the same number here. */
function rowOf(incarnation: number, position: StoredPosition): Insertable<PositionTable> {
  return {
    incarnation,
    device_time_ms: position.deviceTimeMs,
    received_at_ms: position.receivedAtMs,
    latitude: position.latitude,
    longitude: position.longitude,
    altitude_m: position.altitudeM,
    speed_kmh: position.speedKmh,
    heading_deg: position.headingDeg,
    alarm_bits: position.alarmBits,
    status_bits: position.statusBits,
    extra: position.extra,
    late: position.late,
    mileage_km: position.mileageKm,
    fuel_liters: position.fuelLiters,
    cabin_celsius: null,
    signal: position.signal,
  };
}
