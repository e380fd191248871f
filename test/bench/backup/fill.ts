// The database of a large fleet after a year: events as pages have them, and positions as rows and in blocks.
import { sql } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { blocksOfVehicle } from '../blocksOfVehicle.ts';
import { DEVICES, fill, NOW_MS } from '../events/fill.ts';

const POSITIONS_AN_EVENT = 2;
/** Packed positions of a vehicle; in all, as many positions are packed as are stored in rows. */
const POSITIONS_A_VEHICLE = 10_000;
const ROWS_A_STATEMENT = 250_000;
const VEHICLES_A_STATEMENT = 5;
const STEP_MS = 100;

export async function fillLarge(db: StoreDb, events: number): Promise<void> {
  await fill(db, createStores(db), false, events);
  const positions = events * POSITIONS_AN_EVENT;
  for (let from = 0; from < positions; from += ROWS_A_STATEMENT) {
    await addPositions(db, from, Math.min(positions, from + ROWS_A_STATEMENT));
  }
  await addBlocks(db, Math.ceil(positions / POSITIONS_A_VEHICLE));
}

/** Adds positions of all devices in turn. */
async function addPositions(db: StoreDb, from: number, to: number): Promise<void> {
  const [first, last] = [sql.raw(String(from)), sql.raw(String(to - 1))];
  const at = sql.raw(`${NOW_MS} + x * ${STEP_MS}`);
  const items = sql`printf('{"1":"%08x","2":"%04x","48":"%02x"}', x, y % 900, y % 32)`;
  await sql`insert into position (incarnation, device_time_ms, received_at_ms, latitude, longitude, altitude_m, speed_kmh,
      heading_deg, alarm_bits, status_bits, extra, late, mileage_km, fuel_liters, cabin_celsius, signal)
    select 1 + x % ${sql.raw(String(DEVICES))}, ${at}, ${at} + 500, (24000000 + y % 900000) / 1e6, (120500000 + y / 7 % 900000) / 1e6,
      y % 300, y % 900 / 10.0, y % 360, 0, 3, ${items}, 0, x / 10.0, y % 900 / 10.0, null, y % 32
    from (select x, x * 16807 % 2147483647 as y from (with recursive n(x) as
      (select ${first} union all select x + 1 from n where x < ${last}) select x from n) as n) as made`.execute(db);
}

async function addBlocks(db: StoreDb, vehicles: number): Promise<void> {
  const blocks = await blocksOfVehicle(POSITIONS_A_VEHICLE);
  for (let start = 0; start < vehicles; start += VEHICLES_A_STATEMENT) {
    const count = Math.min(VEHICLES_A_STATEMENT, vehicles - start);
    const part = Array.from({ length: count }, (_, at) => start + at + 1);
    await db
      .insertInto('position_block')
      .values(part.flatMap((incarnation) => blocks.map((block) => ({ ...block, incarnation }))))
      .execute();
  }
}
