import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAskResults, createRunReport } from '../../../server/app/reports/reportThreads.ts';
import { ReportJobs } from '../../../server/reports/jobs/reportJobs.ts';
import { ResultFolder } from '../../../server/reports/results/resultFolder.ts';
import { Results } from '../../../server/reports/results/results.ts';
import type { OpenDatabase } from '../../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openSqliteFile } from '../../support/databases/sqliteFile.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const NOW_MS = Date.UTC(2026, 10, 23);

let folder: TempFolder;
let database: OpenDatabase;
let stores: Stores;
let owner: { userId: number; memberGroup: number };
const closing: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await createTempFolder();
  database = await openSqliteFile(join(folder.path, 'fleetglass.db'));
  stores = createStores(database.db, undefined, database.reading);
  const deviceGroup = await stores.deviceGroups.insert('North');
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
  const userId = await stores.users.insert({ username: 'ann', passwordHash: '', permissions: [] }, wallMs(NOW_MS));
  owner = { userId, memberGroup };
  await database.db
    .insertInto('passenger_count')
    .values(
      Array.from({ length: 1_000 }, (_, at) => ({
        incarnation: 1,
        from_ms: NOW_MS - 1_000 + at,
        to_ms: NOW_MS,
        boarded: at,
        alighted: 0,
      })),
    )
    .execute();
});
afterEach(async () => {
  // Before the database, which a report that ends may still ask for the next one.
  for (const each of closing.splice(0)) await each.close();
  await database.close();
  await folder.remove();
});

const preset = { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 } as const;

function openJobs(changes: Partial<ConstructorParameters<typeof ReportJobs>[0]> = {}) {
  const results = new ResultFolder(join(folder.path, 'reports'));
  const location = { engine: 'sqlite', file: join(folder.path, 'fleetglass.db') } as const;
  const jobs = new ReportJobs({
    store: stores.reportJobs,
    folder: results,
    run: createRunReport({ database: location, recordingPreset: preset, overheadPercent: 4, onFault: noFaults }),
    maxBytes: 1e9,
    now: () => NOW_MS,
    onLimit: () => undefined,
    onFault: noFaults,
    onChanged: () => undefined,
    onFinished: () => undefined,
    ...changes,
  });
  closing.push(jobs);
  return { jobs, results };
}

async function add(jobs: ReportJobs) {
  const parameters = reportParameters({ fromMs: NOW_MS - 1_000, toMs: NOW_MS });
  const added = await jobs.add({ ...owner, kind: 'passengers', parameters, schedule: 0 });
  if (!added.ok) throw new Error(added.reason);
  return added.value;
}

const stateOf = async (id: number) => (await stores.reportJobs.get(id))?.state;

it('a report is made in a thread with a connection of its own, and read in another one', async () => {
  const { jobs, results } = openJobs();
  const job = await add(jobs);
  await waitFor('the report', async () => (await stateOf(job.id)) === 'done');
  const done = await stores.reportJobs.get(job.id);
  expect(done).toMatchObject({ rows: 1_000, isCut: false, fault: '', progress: 1 });
  expect(done?.bytes).toBeGreaterThan(10_000);
  const reading = createAskResults(noFaults);
  closing.push(reading);
  const file = done?.file ?? '';
  const read = new Results(reading.ask, (name) => results.pathOf(name));
  const columns = [
    { name: 'device', type: 'device' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'boarded', type: 'count' },
    { name: 'alighted', type: 'count' },
  ] as const;
  const visible = { devices: ['BUS1'], deviceGroups: [] };
  const query = { columns, visible, sort: 3, descending: true, search: '', searchedDevices: [], offset: 1, limit: 2 };
  const page = await read.page(file, { query });
  expect(page).toMatchObject({ total: 1_000, hidden: 0 });
  expect(page.rows.map(({ values }) => values[3])).toEqual([998, 997]);
  const words = { deviceNames: { BUS1: 'Bus 1' }, eventTypes: {}, codes: {}, timeZone: 'UTC' };
  const layout = { format: 'csv', title: 'Passengers', titles: columns.map(({ name }) => name), columns } as const;
  const parts: Uint8Array[] = [];
  for await (const part of read.content(file, { layout, visible, words })) parts.push(part);
  const lines = Buffer.concat(parts).toString().split('\r\n');
  expect(lines).toHaveLength(1_002);
  expect(lines[6]).toBe('Bus 1,2026-11-22 23:59:59,2026-11-23 00:00:00,5,0');
});

it('a report whose thread fails has failed, and leaves no file', async () => {
  const faults: Error[] = [];
  const { jobs } = openJobs({
    run: createRunReport({
      database: { engine: 'sqlite', file: join(folder.path, 'nothing.db') },
      recordingPreset: preset,
      overheadPercent: 4,
      onFault: noFaults,
    }),
    onFault: (error) => void faults.push(error),
  });
  const job = await add(jobs);
  await waitFor('the end', async () => (await stateOf(job.id)) === 'failed');
  expect((await stores.reportJobs.get(job.id))?.fault).toBe('internal');
  expect(readdirSync(join(folder.path, 'reports'))).toEqual([]);
  expect(faults).toHaveLength(1);
});

it('a result larger than all may be together is given up', async () => {
  const { jobs } = openJobs({ maxBytes: 8_192 });
  const job = await add(jobs);
  await waitFor('the end', async () => (await stateOf(job.id)) === 'failed');
  expect((await stores.reportJobs.get(job.id))?.fault).toBe('too-large');
  expect(readdirSync(join(folder.path, 'reports'))).toEqual([]);
});

it('a canceled report ends with its thread, and its file with it', async () => {
  const { jobs, results } = openJobs({
    run: async ({ file }, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return { ok: false, fault: 'internal', message: file };
    },
  });
  const [first, second, third] = [await add(jobs), await add(jobs), await add(jobs)];
  await waitFor('two reports', () => jobs.runningCount === 2);
  expect(await stateOf(third.id)).toBe('queued');
  expect(await jobs.cancel(third)).toBe(true);
  expect(await jobs.cancel(first)).toBe(true);
  expect(await jobs.cancel(first)).toBe(false);
  await waitFor('one report', () => jobs.runningCount === 1);
  expect(await stateOf(first.id)).toBe('canceled');
  expect(await stateOf(second.id)).toBe('running');
  expect(existsSync(results.pathOf(results.newName()))).toBe(false);
});

it('after a restart what ran is interrupted, what waited is made, and files of nobody are deleted', async () => {
  const parameters = reportParameters({ fromMs: NOW_MS - 1_000, toMs: NOW_MS });
  const job = { ...owner, kind: 'passengers', parameters, fromMs: NOW_MS - 1_000, toMs: NOW_MS, schedule: 0 } as const;
  const ids: number[] = [];
  for (const atMs of [1, 2]) {
    const added = await stores.reportJobs.insert({ ...job, atMs });
    if (added.ok) ids.push(added.value.id);
  }
  const [ran = 0, waited = 0] = ids;
  await stores.reportJobs.start(ran, NOW_MS);
  const { jobs, results } = openJobs();
  writeFileSync(results.pathOf(results.newName()), 'half a result');
  await jobs.start();
  await waitFor('the report', async () => (await stateOf(waited)) === 'done');
  expect(await stores.reportJobs.get(ran)).toMatchObject({ state: 'interrupted', fault: 'interrupted' });
  expect(readdirSync(join(folder.path, 'reports'))).toHaveLength(1);
});

it('results go when their time is over, and the oldest where there are too many', async () => {
  const clock = { nowMs: NOW_MS };
  const { jobs } = openJobs({ now: () => clock.nowMs, maxBytes: 150_000 });
  const bytes: number[] = [];
  for (let at = 0; at < 3; at++) {
    const job = await add(jobs);
    await waitFor('the report', async () => (await stateOf(job.id)) === 'done');
    bytes.push((await stores.reportJobs.get(job.id))?.bytes ?? 0);
    clock.nowMs += 1_000;
  }
  await waitFor('the sweep', async () => {
    const sum = (await stores.reportJobs.files()).reduce((total, file) => total + file.bytes, 0);
    return sum <= 150_000 && jobs.runningCount === 0;
  });
  const kept = (await stores.reportJobs.files()).map(({ id }) => id);
  expect(kept).toEqual([1, 2, 3].slice(-Math.floor(150_000 / (bytes[0] ?? 1))));
  clock.nowMs += 7 * 86_400_000;
  await jobs.sweep();
  expect(await stores.reportJobs.files()).toEqual([]);
  expect(readdirSync(join(folder.path, 'reports'))).toEqual([]);
});
