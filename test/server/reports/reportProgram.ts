// A process that is killed: it makes two reports at a time and runs interrupted ones again, while it adds positions and packs them. It says
// on its output what the database has: `position` with a number, `begun` and `done` with a job's number; and `idle` when nothing is left
// to do.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRunReport } from '../../../server/app/reports/reportThreads.ts';
import { ReportJobs } from '../../../server/reports/jobs/reportJobs.ts';
import { ResultFolder } from '../../../server/reports/results/resultFolder.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import type { StoredReportJob } from '../../../server/store/reports/reportJobs.ts';
import { createStores } from '../../../server/store/stores.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { aPosition } from '../fleet/positions/aPosition.ts';

const [folder = '', device = '', first = '', user = '', group = '', reportEnd = ''] = process.argv.slice(2);
const [incarnation, userId, memberGroup] = [Number(device), Number(user), Number(group)];
const POSITIONS = 1_000;
const BATCH = 20;
const REPORTS = 2;
const MAX = Number.MAX_SAFE_INTEGER;
const ALL = { nowMs: Date.now(), beforeMs: MAX, futureMs: MAX, fromMs: 0 };
const location = { engine: 'sqlite', file: join(folder, 'fleetglass.db') } as const;
const { db, reading } = await openDatabase(location);
const stores = createStores(db, undefined, reading);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const fail = (error: Error): never => {
  throw error;
};

const jobs = new ReportJobs({
  store: stores.reportJobs,
  folder: new ResultFolder(join(folder, 'reports')),
  run: createRunReport({
    database: location,
    recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    overheadPercent: 4,
    onFault: fail,
  }),
  maxBytes: 1e9,
  now: Date.now,
  onLimit: () => undefined,
  onFault: fail,
  onChanged: () => say('changed'),
  onFinished: (job) => say(`${job.state} ${job.id}`),
});

async function addJob(wanted: Pick<StoredReportJob, 'kind' | 'parameters'>): Promise<void> {
  const { kind, parameters } = wanted;
  const added = await jobs.add({ userId, memberGroup, kind, parameters, schedule: 0 });
  if (!added.ok) throw new Error(added.reason);
  say(`begun ${added.value.id}`);
}

async function interruptedJobs(): Promise<readonly StoredReportJob[]> {
  const ended = await db.selectFrom('report_job').select('id').where('finished_at_ms', '>', 0).orderBy('id').execute();
  const all = await Promise.all(ended.map(({ id }) => stores.reportJobs.get(id)));
  return all.flatMap((job) => (job?.state === 'interrupted' ? [job] : []));
}

async function isBusy(): Promise<boolean> {
  const open = await db.selectFrom('report_job').select('id').where('finished_at_ms', '=', 0).execute();
  return open.length > 0;
}

async function addPositions(): Promise<void> {
  for (let at = Number(first); at < Number(first) + POSITIONS; at += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => at + index);
    await stores.positions.append(numbers.map((number) => aPosition(incarnation, number)));
    for (const number of numbers) say(`position ${number}`);
    await stores.positionPacking.packFirst(incarnation, 100, ALL);
  }
}

await jobs.start();
const fresh = { kind: 'passengers', parameters: reportParameters({ fromMs: 0, toMs: Number(reportEnd) }) } as const;
const again = (await interruptedJobs()).slice(-REPORTS);
for (const job of [...again, fresh, fresh].slice(0, REPORTS)) await addJob(job);
await addPositions();
while (await isBusy()) await delay(20);
say('idle');
await delay(3_600_000);
