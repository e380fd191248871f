import { fileContent } from '../../../server/http/reports/fileContent.ts';
import type { ReportRoutesDeps } from '../../../server/http/reports/reportDeps.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { ReportJobs } from '../../../server/reports/jobs/reportJobs.ts';
import { coordinates } from '../../../server/reports/reportKind.ts';
import { makeReport } from '../../../server/reports/reportTask.ts';
import { ResultFolder } from '../../../server/reports/results/resultFolder.ts';
import { ResultPlaces } from '../../../server/reports/results/resultPlaces.ts';
import { createResultRequests } from '../../../server/reports/results/resultRequests.ts';
import { type AskResults, Results } from '../../../server/reports/results/results.ts';
import { createSamplesOf } from '../../../server/reports/trackSamples.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createPositionStore } from '../../../server/store/fleet/positions.ts';
import type { StoredReportJob } from '../../../server/store/reports/reportJobs.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { noDamage } from '../fakes/noDamage.ts';
import { noFaults } from '../fakes/noFaults.ts';

export interface InProcessReports {
  readonly jobs: ReportJobs;
  readonly folder: ResultFolder;
  readonly forCalls: ReportRoutesDeps['reports'];
  /** Member groups whose pages were notified. */
  readonly told: number[];
  close(): Promise<void>;
}

interface Options {
  readonly db: StoreDb;
  readonly stores: Stores;
  /** Folder of the results. */
  readonly folder: string;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

const askHere = (): AskResults => {
  const answer = createResultRequests(fileContent);
  return (async (request) => answer(request)) as AskResults;
};

/** Reports without threads, on a database that no other thread can open. Nothing is mailed. */
export function createInProcessReports({ db, stores, folder: path, now, onLimit }: Options): InProcessReports {
  const folder = new ResultFolder(path);
  const told: number[] = [];
  const sources = {
    db,
    placeOf: coordinates,
    samplesOf: createSamplesOf(createPositionStore(db, db, noDamage)),
    recordingPreset: { mode: 'off', quality: 'main', schedule: [], retentionDays: 0 },
    overheadPercent: 4,
  } as const;
  const onChanged = (memberGroup: number): void => void told.push(memberGroup);
  const jobs = new ReportJobs({
    store: stores.reportJobs,
    folder,
    run: (task, { onProgress }) => makeReport(task, sources, onProgress),
    maxBytes: 100_000_000,
    now,
    onLimit,
    onFault: noFaults,
    onChanged,
    onFinished: (job: StoredReportJob) => void job,
  });
  const results = new Results(askHere(), (file) => folder.pathOf(file));
  return {
    jobs,
    folder,
    forCalls: { jobs, results, places: new ResultPlaces(onLimit) },
    told,
    close: () => jobs.close(),
  };
}
