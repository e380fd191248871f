import type { OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { createReportJobStore } from './reportJobs.ts';
import { createReportMakerStore } from './reportMakers.ts';
import { createReportScheduleStore } from './reportSchedules.ts';
import { createReportScopeStore } from './reportScopes.ts';

export type ReportStores = Readonly<ReturnType<typeof createReportStores>>;

export function createReportStores(db: StoreDb, reading: StoreDb, onLimit?: OnLimit) {
  return {
    reportJobs: createReportJobStore(db, reading, onLimit),
    reportMakers: createReportMakerStore(db),
    reportSchedules: createReportScheduleStore(db, reading, onLimit),
    reportScopes: createReportScopeStore(reading),
  };
}
