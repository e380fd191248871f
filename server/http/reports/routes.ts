// Reports: `/api/report/`.
import type { FastifyInstance } from 'fastify';
import { registerReportJobs } from './jobRoutes.ts';
import type { ReportRoutesDeps } from './reportDeps.ts';
import { registerReportResults } from './resultRoutes.ts';
import { registerReportSchedules } from './scheduleRoutes.ts';

export async function registerReportRoutes(app: FastifyInstance, deps: ReportRoutesDeps): Promise<void> {
  registerReportJobs(app, deps);
  registerReportResults(app, deps);
  registerReportSchedules(app, deps);
}
