// Positions a second that the store takes at full speed, on both engines.
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { onBothEngines } from '../bothEngines.ts';
import { rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const DEVICES = 1_000;
const BATCH = 1_000;

/** `postgresPrograms` is the folder of initdb and postgres; without it there is one row. */
export async function benchStore(seconds: number, postgresPrograms: string | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  await onBothEngines(postgresPrograms, async ({ db }, name) => {
    rows.push(await storeSpeed(name === 'SQLite' ? name : 'PostgreSQL, without fsync', db, seconds));
  });
  return rows;
}

async function storeSpeed(name: string, db: StoreDb, seconds: number): Promise<Row> {
  const { devices, positions } = createStores(db);
  const incarnations: number[] = [];
  for (let device = 0; device < DEVICES; device++) {
    const added = await devices.insert({ deviceId: `D${device}`, name: `D${device}`, chn: 1 });
    incarnations.push(added.incarnation);
  }
  const startMs = performance.now();
  let stored = 0;
  while (performance.now() - startMs < seconds * 1_000) {
    await positions.append(batchOf(stored, incarnations));
    stored += BATCH;
  }
  const perSecond = stored / ((performance.now() - startMs) / 1_000);
  return { database: name, 'positions a batch': BATCH, stored, 'positions/s': rounded(perSecond, 0) };
}

function batchOf(from: number, incarnations: readonly number[]): Position[] {
  const nowMs = wallMs(Date.now());
  return Array.from({ length: BATCH }, (_, index) => ({
    deviceId: `D${(from + index) % DEVICES}`,
    incarnation: incarnations[(from + index) % DEVICES] ?? 0,
    deviceTimeMs: wallMs(nowMs - (nowMs % 1_000)),
    receivedAtMs: nowMs,
    latitude: 25.04 + index / 1e6,
    longitude: 121.56,
    altitudeM: 12,
    speedKmh: 40.5,
    headingDeg: 90,
    alarmBits: 0,
    statusBits: 3,
    extra: { mileageKm: 12_345.6 },
  }));
}
