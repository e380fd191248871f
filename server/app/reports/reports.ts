// Reports of a gateway that runs.

import { followRecords, listTeller } from '../../bus/changeBus.ts';
import { runEvery } from '../../faults/timers.ts';
import type { ReportRoutesDeps, ReportsForCalls } from '../../http/reports/reportDeps.ts';
import { installationPath } from '../../installation.ts';
import type { Transports } from '../../notify/outgoing.ts';
import type { SenderDirectory } from '../../notify/senders/senderDirectory.ts';
import { ReportJobs } from '../../reports/jobs/reportJobs.ts';
import { registerReportJobMetrics } from '../../reports/metrics.ts';
import { ResultFolder } from '../../reports/results/resultFolder.ts';
import { ResultPlaces } from '../../reports/results/resultPlaces.ts';
import { Results } from '../../reports/results/results.ts';
import { ReportSchedules } from '../../reports/schedules/reportSchedules.ts';
import { type Context, toolsOf } from '../context.ts';
import { presetPolicy } from '../recordings.ts';
import { createReportMails } from './mails.ts';
import { createAskResults, createRunReport } from './reportThreads.ts';

interface ReportsParts extends Pick<ReportRoutesDeps, 'localesRoot'> {
  readonly senders: { readonly directory: SenderDirectory; readonly transports: Transports };
}

const MEGABYTE = 1024 * 1024;
const SWEEP_MS = 10 * 60_000;

export async function startReports(context: Context, { senders, localesRoot }: ReportsParts): Promise<ReportsForCalls> {
  const { config, stores, database, meters, bus, metrics, closing, onLimit } = context;
  const { runAfter, onFault } = toolsOf(context, 'reports');
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
  const schedules = new ReportSchedules({ ...common, ...mails, stores, jobs, runAfter });
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
