// One process that relays a channel, and makes reports in threads as the gateway does. argv: folder with the database, user, member group.
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { reportSheet } from '../../../server/http/reports/reportSheet.ts';
import { ReportJobs } from '../../../server/reports/jobs/reportJobs.ts';
import { ResultFolder } from '../../../server/reports/results/resultFolder.ts';
import { Results } from '../../../server/reports/results/results.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import type { StoredReportJob } from '../../../server/store/reports/reportJobs.ts';
import { createStores } from '../../../server/store/stores.ts';
import type { ReportKind } from '../../../shared/protocol/reports/reportWords.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { relayThroughHub, sendFrames } from '../relay/hubRelay.ts';
import { FROM_MS, TO_MS } from './fill.ts';
import type { GatewayReady, MadeReport, Paused, ToGateway, Worked, WrittenFile } from './messages.ts';

const KINDS: readonly ReportKind[] = ['trips', 'mileage-day', 'mileage-month'];
const MEMORY_MS = 20;
/** From source, to start a thread is much more work for this one. */
const THREADS = join(import.meta.dirname, '../../../dist/gateway/server/app/reports/reportThreads.js');
type Threads = typeof import('../../../server/app/reports/reportThreads.ts');

const [folder = '', userId = 0, memberGroup = 0] = process.argv
  .slice(2)
  .map((text, at) => (at === 0 ? text : Number(text))) as [string, number, number];
const file = join(folder, 'bench.db');
const onFault = (error: Error): never => {
  throw error;
};
const { createAskResults, createRunReport } = (await import(pathToFileURL(THREADS).href)) as Threads;
const database = await openDatabase({ engine: 'sqlite', file });
const stores = createStores(database.db, undefined, database.reading);
const ends = new Map<number, (job: StoredReportJob) => void>();
const results = new ResultFolder(join(folder, 'reports'));
const jobs = new ReportJobs({
  store: stores.reportJobs,
  folder: results,
  run: createRunReport({
    database: { engine: 'sqlite', file },
    recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    overheadPercent: 4,
    onFault,
  }),
  maxBytes: 4e9,
  now: Date.now,
  onLimit: () => undefined,
  onFault,
  onChanged: () => undefined,
  onFinished: (job) => ends.get(job.id)?.(job),
});
const reading = createAskResults(onFault);
const read = new Results(reading.ask, (name) => results.pathOf(name));

// Programs are loaded and compiled when they are first used.
await makeReport('mileage-month');
const { port, send } = await relayThroughHub();
sendFrames(send);
const holds = monitorEventLoopDelay({ resolution: 1 });
let used = performance.eventLoopUtilization();
process.on('message', (message: ToGateway) => {
  if (message === 'begin') {
    holds.enable();
    holds.reset();
    used = performance.eventLoopUtilization();
  } else if (message === 'end') {
    holds.disable();
    const busy = performance.eventLoopUtilization(used).utilization;
    process.send?.({ type: 'paused', longestMs: holds.max / 1e6, busy } satisfies Paused);
  } else {
    work().then((worked) => process.send?.(worked), onFault);
  }
});
process.send?.({ type: 'ready', port } satisfies GatewayReady);

async function work(): Promise<Worked> {
  const reports: MadeReport[] = [];
  let trips: StoredReportJob | undefined;
  for (const kind of KINDS) {
    const startedMs = performance.now();
    const job = await makeReport(kind);
    reports.push({ kind, rows: job.rows, ms: performance.now() - startedMs });
    if (kind === 'trips') trips = job;
  }
  if (trips === undefined) throw new Error('there is no report of trips');
  return { type: 'worked', reports, file: await writeFile(trips) };
}

async function makeReport(kind: ReportKind): Promise<StoredReportJob> {
  const parameters = reportParameters({ fromMs: FROM_MS, toMs: TO_MS, timeZone: 'UTC' });
  const added = await jobs.add({ userId, memberGroup, kind, parameters, schedule: 0 });
  if (!added.ok) throw new Error(added.reason);
  const job = await new Promise<StoredReportJob>((resolve) => ends.set(added.value.id, resolve));
  if (job.state !== 'done') throw new Error(`the report of ${kind} is ${job.state}`);
  return job;
}

async function writeFile(job: StoredReportJob): Promise<WrittenFile> {
  const startedMs = performance.now();
  const beforeBytes = process.memoryUsage.rss();
  let mostBytes = beforeBytes;
  const timer = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  }, MEMORY_MS);
  const reader = { format: 'xlsx', language: 'en', timeZone: 'Europe/Berlin' } as const;
  const localesRoot = join(import.meta.dirname, '../../../public/locales');
  const access = { stores, localesRoot, results: read, isAllowed: async () => true };
  const { content } = await reportSheet(job, reader, access);
  let bytes = 0;
  for await (const part of content) bytes += (part as Buffer).byteLength;
  clearInterval(timer);
  return { rows: job.rows, ms: performance.now() - startedMs, bytes, growthBytes: mostBytes - beforeBytes };
}
