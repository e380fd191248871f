// How long it takes to say what is recorded: 100 devices of 8 channels over 30 days.

import { openDatabase, type StoreDb } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const DEVICES = 100;
const CHANNELS = 8;
const DAYS = 30;
const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 9, 22);
const REPETITIONS = 20;

/** Trips a day: recorded with the ignition, each with a gap behind it; 1 stands for recording around the clock. */
const TRIPS = [1, 6];

export async function benchRanges(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const trips of TRIPS) rows.push(...(await measure(trips)));
  return rows;
}

async function measure(trips: number): Promise<Row[]> {
  const folder = await createTempFolder();
  const database = await openDatabase({ engine: 'sqlite', file: `${folder.path}/bench.db` });
  try {
    const count = await fill(database.db, trips);
    const { segments } = createStores(database.db);
    const window = { fromMs: FROM_MS, toMs: FROM_MS + DAYS * DAY_MS };
    const one = await timed(
      async (at) => (await segments.ranges({ ...window, archiveId: `DEV${at % DEVICES}` })).length,
    );
    const all = await timed(async () => (await segments.ranges(window)).length);
    const found = (what: string, { p50, p95, rows }: Timed): Row => {
      return {
        'ranges a day': trips,
        'in the database': count,
        requests: what,
        found: rows,
        'p50 ms': p50,
        'p95 ms': p95,
      };
    };
    return [found('one device', one), found('all 100 devices', all)];
  } finally {
    await database.close();
    await folder.remove();
  }
}

interface Timed {
  readonly p50: number;
  readonly p95: number;
  readonly rows: number;
}

async function timed(run: (at: number) => Promise<number>): Promise<Timed> {
  const times: number[] = [];
  let rows = 0;
  for (let at = 0; at < REPETITIONS; at++) {
    const startedMs = performance.now();
    rows = await run(at);
    times.push(performance.now() - startedMs);
  }
  return { p50: rounded(percentile(times, 0.5)), p95: rounded(percentile(times, 0.95)), rows };
}

async function fill(db: StoreDb, trips: number): Promise<number> {
  const rows: { archive_id: string; channel: number; from_ms: number; to_ms: number }[] = [];
  const partMs = DAY_MS / trips;
  for (let device = 0; device < DEVICES; device++) {
    for (let channel = 1; channel <= CHANNELS; channel++) {
      for (let part = 0; part < DAYS * trips; part++) {
        const from_ms = FROM_MS + part * partMs + device * 1_000;
        rows.push({ archive_id: `DEV${device}`, channel, from_ms, to_ms: from_ms + partMs * 0.7 });
      }
    }
  }
  for (let at = 0; at < rows.length; at += 5_000) {
    await db
      .insertInto('recorded_range')
      .values(rows.slice(at, at + 5_000))
      .execute();
  }
  return rows.length;
}
