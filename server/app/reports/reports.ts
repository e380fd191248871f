// Reports of a gateway that runs.

import type { Registry } from 'prom-client';
import { type ChangeBus, followRecords, listTeller } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import { createRunAfter, runEvery } from '../../faults/timers.ts';
import type { ThreadMeters } from '../../health/threads/threadMeters.ts';
import type { ReportRoutesDeps, ReportsForCalls } from '../../http/reports/reportDeps.ts';
import { installationPath } from '../../installation.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Transports } from '../../notify/outgoing.ts';
import type { SenderDirectory } from '../../notify/senders/senderDirectory.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { ReportJobs } from '../../reports/jobs/reportJobs.ts';
import { registerReportJobMetrics } from '../../reports/metrics.ts';
import { ResultFolder } from '../../reports/results/resultFolder.ts';
import { ResultPlaces } from '../../reports/results/resultPlaces.ts';
import { Results } from '../../reports/results/results.ts';
import { ReportSchedules } from '../../reports/schedules/reportSchedules.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { Stores } from '../../store/stores.ts';
import { presetPolicy } from '../recordings.ts';
import { createReportMails } from './mails.ts';
import { createAskResults, createRunReport } from './reportThreads.ts';

export interface ReportsDeps extends Pick<ReportRoutesDeps, 'localesRoot'> {
  readonly stores: Stores;
  /** Threads open it by themselves. */
  readonly database: DatabaseLocation;
  readonly meters: Pick<ThreadMeters, 'reportResults'>;
  readonly senders: { readonly directory: SenderDirectory; readonly transports: Transports };
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'listChanged'>;
  readonly metrics: Registry;
  readonly log: Log;
  readonly closing: Closing;
  readonly onLimit: OnLimit;
}

const MEGABYTE = 1024 * 1024;
const SWEEP_MS = 10 * 60_000;

export async function startReports(config: Config, deps: ReportsDeps): Promise<ReportsForCalls> {
  const { stores, database, meters, senders, bus, localesRoot, metrics, log, closing, onLimit } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'reports');
  const folder = new ResultFolder(installationPath(config, 'reports'));
  const reading = createAskResults(onFault, meters.reportResults);
  closing.add('results of reports', () => reading.close());
  const places = new ResultPlaces(onLimit);
  const results = new Results(reading.ask, (file) => folder.pathOf(file));
  const onChanged = listTeller(bus, 'reports');
  const common = { now: Date.now, onFault, onChanged };
  const jobs = new ReportJobs({
    ...common,
    store: stores.reportJobs,
    folder,
    run: createRunReport({
      database,
      recordingPreset: presetPolicy(config),
      overheadPercent: config.netflowOverheadPercent,
      onFault,
    }),
    maxBytes: config.reportMaxMb * MEGABYTE,
    onLimit,
    onFinished: (job) => schedules.finished(job),
  });
  const mails = createReportMails({
    stores,
    localesRoot,
    results,
    senders: senders.directory,
    transports: senders.transports,
    publicUrl: config.publicUrl ?? '',
    now: Date.now,
  });
  const schedules = new ReportSchedules({ ...common, ...mails, stores, jobs, runAfter: createRunAfter(onFault) });
  closing.add('reports', () => jobs.close());
  closing.add('schedules of reports', () => schedules.close());
  registerReportJobMetrics(metrics, {
    running: () => jobs.runningCount,
    questions: () => places.taken,
    files: () => stores.reportJobs.files(),
  });
  await jobs.start();
  await jobs.sweep();
  await schedules.start();
  followRecords(bus, 'schedules of reports', ['reportschedule'], ({ memberGroup }) => {
    schedules.workSoon();
    onChanged(memberGroup);
  });
  const stopSweeping = runEvery(SWEEP_MS, () => jobs.sweep(), onFault);
  closing.add('sweep of reports', async () => stopSweeping());
  return { jobs, results, places };
}
