// How long a position takes to be committed while a search of some two seconds runs, on the connection for reading and on the one that
// writes, on both engines.
import { sql } from 'kysely';
import type { AuditQuery } from '../../../server/store/audit/auditList.ts';
import type { OpenDatabase } from '../../../server/store/engine/database.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { onBothEngines } from '../bothEngines.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const SEARCH_MS = 2_000;
const SEARCHES = 5;
/** Positions of a tenth of a second at once, as they come from 10,000 terminals that report every 10 s. */
const POSITIONS_AT_ONCE = 100;
const APPEND_INTERVAL_MS = 100;
const LEAST_SEARCH_MS = 1_600;
const SAMPLE_ROWS = 50_000;
const MAX_ROWS = 2_000_000;
const ROWS_PER_STATEMENT = 1_000;

/** A text that is in no row: every column of every row is looked through, once for the page and once for the total. */
const SEARCH: AuditQuery = {
  search: 'nowhere',
  sort: 'at',
  descending: true,
  limit: 50,
  position: { at: 'offset', offset: 0 },
};

/** `postgresPrograms` is the folder of initdb and postgres; without it SQLite alone is measured. */
export async function benchReading(postgresPrograms: string | undefined, note: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  await onBothEngines(postgresPrograms, async (database, name) => {
    note(`reading: ${name}`);
    rows.push(...(await measureOn(name === 'SQLite' ? name : 'PostgreSQL, without fsync', database)));
  });
  return rows;
}

async function measureOn(name: string, database: OpenDatabase): Promise<Row[]> {
  const overReading = createStores(database.db, undefined, database.reading);
  const overWriting = createStores(database.db);
  const positions = positionsOf(await addDevices(overWriting));
  const auditRows = await fillAudit(database, overReading);
  const measured = async (what: string, search: () => Promise<unknown>): Promise<Row> => {
    const { searchMs, commitMs } = await measure(overWriting, positions, search);
    return {
      database: name,
      'search over': what,
      'rows searched': auditRows,
      'search s': rounded(percentile(searchMs, 0.5) / 1_000),
      batches: commitMs.length,
      'p50 ms': rounded(percentile(commitMs, 0.5)),
      'p99 ms': rounded(percentile(commitMs, 0.99)),
      'max ms': rounded(percentile(commitMs, 1)),
    };
  };
  return [
    await measured('none', () => new Promise((resolve) => setTimeout(resolve, SEARCH_MS))),
    await measured('the reading connection', () => overReading.audit.page(SEARCH)),
    await measured('the writing connection', () => overWriting.audit.page(SEARCH)),
  ];
}

interface Times {
  readonly searchMs: readonly number[];
  readonly commitMs: readonly number[];
}

/** Positions come at their own times, whether or not those before them are stored. */
async function measure(stores: Stores, positions: () => Position[], search: () => Promise<unknown>): Promise<Times> {
  const commitMs: number[] = [];
  const appends: Promise<void>[] = [];
  const append = async (): Promise<void> => {
    const startedMs = performance.now();
    await stores.positions.append(positions());
    commitMs.push(performance.now() - startedMs);
  };
  const timer = setInterval(() => appends.push(append()), APPEND_INTERVAL_MS);
  const searchMs: number[] = [];
  try {
    for (let at = 0; at < SEARCHES; at++) {
      const startedMs = performance.now();
      await search();
      searchMs.push(performance.now() - startedMs);
    }
  } finally {
    clearInterval(timer);
  }
  await Promise.all(appends);
  return { searchMs, commitMs };
}

/** Adds as many rows as are searched through in two seconds on this machine. Gives how many. */
async function fillAudit({ db, engine }: OpenDatabase, { audit }: Stores): Promise<number> {
  const add = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += ROWS_PER_STATEMENT) {
      const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, to - at) }, (_, index) => auditRow(at + index));
      await db.insertInto('audit').values(rows).execute();
    }
    if (engine === 'postgres') await sql`vacuum analyze audit`.execute(db);
  };
  let count = SAMPLE_ROWS;
  await add(0, count);
  for (;;) {
    const tookMs = await quickest(() => audit.page(SEARCH));
    if (tookMs >= LEAST_SEARCH_MS || count >= MAX_ROWS) return count;
    // PostgreSQL searches large tables with several processes: what a row costs falls with their number.
    const wanted = Math.min(Math.round((count * SEARCH_MS) / tookMs), MAX_ROWS);
    await add(count, wanted);
    count = wanted;
  }
}

/** The quickest of three runs: the first one reads the rows from the disk, and other programs slow down any of them. */
async function quickest(run: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 3; at++) {
    const startedMs = performance.now();
    await run();
    leastMs = Math.min(leastMs, performance.now() - startedMs);
  }
  return leastMs;
}

function auditRow(at: number) {
  return {
    at_ms: 1_795_000_000_000 + at * 1_000,
    actor: `operator${at % 40}`,
    action: 'device.change',
    target: `BUS-${at % 5_000}`,
    address: `203.0.113.${at % 250}`,
    detail: '{}',
    before_change: JSON.stringify({ name: `Bus ${at}`, notes: 'Serviced in week 17', plate: `ABC-${at % 10_000}` }),
    after_change: JSON.stringify({ name: `Bus ${at}`, notes: 'Serviced in week 18', plate: `ABC-${at % 10_000}` }),
  };
}

async function addDevices({ devices }: Stores): Promise<number[]> {
  const incarnations: number[] = [];
  for (let device = 0; device < POSITIONS_AT_ONCE; device++) {
    const added = await devices.insert({ deviceId: `D${device}`, name: `D${device}`, chn: 1 });
    incarnations.push(added.incarnation);
  }
  return incarnations;
}

function positionsOf(incarnations: readonly number[]): () => Position[] {
  return () => {
    const nowMs = wallMs(Date.now());
    return incarnations.map((incarnation, index) => ({
      deviceId: `D${index}`,
      incarnation,
      deviceTimeMs: nowMs,
      receivedAtMs: nowMs,
      latitude: 25.04,
      longitude: 121.56,
      altitudeM: 12,
      speedKmh: 40.5,
      headingDeg: 90,
      alarmBits: 0,
      statusBits: 3,
      extra: { mileageKm: 12_345.6 },
    }));
  };
}
