// Positions a second that the store takes at full speed, on both engines.
import { join } from 'node:path';
import { type DatabaseLocation, openDatabase } from '../../../server/store/engine/database.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { startPostgresCluster } from '../../support/postgres/postgresCluster.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const DEVICES = 1_000;
const BATCH = 1_000;

/** `postgresPrograms` is the folder of initdb and postgres; without it there is one row. */
export async function benchStore(seconds: number, postgresPrograms: string | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  const folder = await createTempFolder();
  try {
    rows.push(await storeSpeed('SQLite', { engine: 'sqlite', file: join(folder.path, 'bench.db') }, seconds));
  } finally {
    await folder.remove();
  }
  if (postgresPrograms === undefined) return rows;
  const cluster = await startPostgresCluster(postgresPrograms);
  try {
    rows.push(await storeSpeed('PostgreSQL, without fsync', { engine: 'postgres', url: cluster.url }, seconds));
  } finally {
    await cluster.close();
  }
  return rows;
}

async function storeSpeed(name: string, location: DatabaseLocation, seconds: number): Promise<Row> {
  const database = await openDatabase(location);
  try {
    const { devices, positions } = createStores(database.db);
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
  } finally {
    await database.close();
  }
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
