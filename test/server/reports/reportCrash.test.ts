// The state after the gateway is killed while it makes reports: each says how it ended, no half file stays, and no position is lost.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAskResults } from '../../../server/app/reports/reportThreads.ts';
import { ReportJobs } from '../../../server/reports/jobs/reportJobs.ts';
import { ResultFolder } from '../../../server/reports/results/resultFolder.ts';
import { Results } from '../../../server/reports/results/results.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { type KilledProgram, startProgram } from '../../support/gateway/killedProgram.ts';
import { KILLS, KILLS_TIMEOUT_MS } from '../../support/runs.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const ROWS = 20_000;
/** Each position is on the disk before the next is added: a disk that others use takes its time. */
const ALL_MADE_MS = 120_000;
const POSITIONS_A_LIFE = 1_000;
/** A report changes when it is wanted, when it begins, and as it comes on. */
const MOMENTS = 7;

it('a report that a kill interrupts says so and can be run again', {
  timeout: KILLS_TIMEOUT_MS,
}, async () => {
  const { folder, options } = await openScene();
  const start = (life: number): Promise<KilledProgram> =>
    startProgram(join(import.meta.dirname, 'reportProgram.ts'), options(life * POSITIONS_A_LIFE));
  const told = { positions: new Set<number>(), begun: new Set<number>(), done: new Set<number>() };
  const hear = (lines: readonly string[]): void => {
    for (const line of lines) {
      const [word = '', number = ''] = line.split(' ');
      if (word === 'position') told.positions.add(Number(number));
      if (word === 'begun') told.begun.add(Number(number));
      if (word === 'done') told.done.add(Number(number));
    }
  };
  let interrupted = 0;
  for (let life = 0; life < KILLS; life++) {
    const program = await start(life);
    // By the third change one of the two that are wanted has begun.
    const changes = ((life + 2) % MOMENTS) + 1;
    await waitFor('the moment to kill it', () => {
      const lines = program.lines();
      return lines.filter((line) => line === 'changed').length >= changes || lines.includes('idle');
    });
    await program.kill();
    hear(program.lines());
    interrupted += await withStores(folder, (stores) => expectOrder(stores, folder, told));
  }
  expect(interrupted).toBeGreaterThan(0);
  const last = await start(KILLS);
  await waitFor('all are made', () => last.lines().includes('idle'), Boolean, ALL_MADE_MS);
  await last.kill();
  hear(last.lines());
  expect(await withStores(folder, (stores) => expectOrder(stores, folder, told))).toBe(0);
});

interface Told {
  readonly positions: ReadonlySet<number>;
  readonly begun: ReadonlySet<number>;
  readonly done: ReadonlySet<number>;
}

/** Checks what the next start finds. Gives how many reports were interrupted by this kill. */
async function expectOrder(stores: Stores, folder: string, told: Told): Promise<number> {
  const found = await stores.positions.between('BUS', { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, 1_000_000);
  const numbers = new Set(found.map(({ receivedAtMs }): number => receivedAtMs));
  expect(numbers.size).toBe(found.length);
  expect([...told.positions].filter((number) => !numbers.has(number))).toEqual([]);
  const before = await Promise.all([...told.begun].map((id) => stores.reportJobs.get(id)));
  const results = new ResultFolder(join(folder, 'reports'));
  await startJobs(stores, results);
  const files: string[] = [];
  for (const job of before) {
    const after = job && (await stores.reportJobs.get(job.id));
    if (job?.state === 'running') expect(after).toMatchObject({ state: 'interrupted', fault: 'interrupted', file: '' });
    else expect(['done', 'interrupted', 'queued']).toContain(job?.state);
    if (after?.state === 'done') files.push(`${after.file}.db`);
  }
  for (const id of told.done) expect(await stores.reportJobs.get(id)).toMatchObject({ state: 'done', rows: ROWS });
  // A report may be done without having been announced.
  const kept = (await stores.reportJobs.files()).map(({ file }) => file);
  expect(kept.map((file) => `${file}.db`)).toEqual(expect.arrayContaining(files));
  expect(readdirSync(join(folder, 'reports')).toSorted()).toEqual(kept.map((file) => `${file}.db`).toSorted());
  await expectWhole(kept.slice(-2), results);
  return before.filter((job) => job?.state === 'running').length;
}

/** Starts the jobs without queued reports, which would begin at once: they are left to the program. */
async function startJobs(stores: Stores, folder: ResultFolder): Promise<void> {
  const jobs = new ReportJobs({
    store: { ...stores.reportJobs, queued: async () => [] },
    folder,
    run: () => Promise.reject(new Error('nothing waits')),
    maxBytes: 1e9,
    now: Date.now,
    onLimit: () => undefined,
    onFault: noFaults,
    onChanged: () => undefined,
    onFinished: () => undefined,
  });
  await jobs.start();
  await jobs.close();
}

async function expectWhole(files: readonly string[], folder: ResultFolder): Promise<void> {
  const reading = createAskResults(noFaults);
  const results = new Results(reading.ask, (name) => folder.pathOf(name));
  const columns = [
    { name: 'device', type: 'device' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'boarded', type: 'count' },
    { name: 'alighted', type: 'count' },
  ] as const;
  const visible = { devices: ['BUS'], deviceGroups: [] };
  const query = { columns, visible, sort: 3, descending: true, search: '', searchedDevices: [], offset: 0, limit: 1 };
  for (const file of files) {
    const page = await results.page(file, { query });
    expect(page.total).toBe(ROWS);
    expect(page.rows[0]?.values[3]).toBe(ROWS - 1);
  }
  await reading.close();
}

async function openScene() {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const nowMs = Date.now();
  const { incarnation, userId, memberGroup } = await withStores(folder.path, async (stores, db) => {
    const deviceGroup = await stores.deviceGroups.insert('North');
    const group = await stores.memberGroups.insert({ name: 'Depot' });
    await stores.memberGroups.setDeviceGroups(group, [deviceGroup]);
    const device = await stores.devices.insert({ deviceId: 'BUS', name: 'Bus', chn: 1, deviceGroup });
    const ann = await stores.users.insert({ username: 'ann', passwordHash: '', permissions: [] }, wallMs(nowMs));
    const counts = Array.from({ length: ROWS }, (_, at) => {
      return { incarnation: device.incarnation, from_ms: at + 1, to_ms: at + 2, boarded: at, alighted: 0 };
    });
    for (let at = 0; at < ROWS; at += 1_000)
      await db
        .insertInto('passenger_count')
        .values(counts.slice(at, at + 1_000))
        .execute();
    return { incarnation: device.incarnation, userId: ann, memberGroup: group };
  });
  const options = (first: number) => [folder.path, incarnation, first, userId, memberGroup, nowMs];
  return { folder: folder.path, options };
}

async function withStores<Result>(
  folder: string,
  use: (stores: Stores, db: StoreDb) => Promise<Result>,
): Promise<Result> {
  const database = await openSqliteFile(join(folder, 'fleetglass.db'));
  try {
    return await use(createStores(database.db), database.db);
  } finally {
    await database.close();
  }
}
