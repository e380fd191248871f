// Kinds of reports, and jobs that make them.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { IdText } from '../../../shared/protocol/api/records.ts';
import {
  REPORT_JOB_SORTS,
  REPORT_JOBS_PATH,
  REPORT_KINDS_PATH,
  ReportJob,
  ReportJobFilters,
  ReportKinds,
  ReportRequest,
  reportAgainPath,
  reportCancelPath,
} from '../../../shared/protocol/api/reports/reports.ts';
import { REPORT_KIND_NAMES } from '../../../shared/protocol/reports/reportTexts.ts';
import { mayHaveReport, REPORT_DEFINITIONS } from '../../reports/kinds/list.ts';
import { auditFieldsOfReport, refusalOfReport } from '../../reports/parameterChecks.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, contentRefusal } from '../kernel/records/recordRoutes.ts';
import {
  findJob,
  MAY_REPORT,
  NO_REPORT,
  ownerOf,
  REPORT_ACT,
  REPORT_ENDED,
  REPORT_REFUSALS,
  type ReportRoutesDeps,
  showJob,
  TOO_MANY_REPORTS,
} from './reportDeps.ts';

const params = Type.Object({ id: IdText });

export function registerReportJobs(app: FastifyInstance, deps: ReportRoutesDeps): void {
  registerKinds(app);
  registerList(app, deps);
  registerRunning(app, deps);
  registerActs(app, deps);
}

/** `GET /api/report/kinds`: those that the caller may have. */
function registerKinds(app: FastifyInstance): void {
  const schema = { summary: 'Kinds of reports', response: answers(ReportKinds) };
  app.withTypeProvider<TypeBoxTypeProvider>().get(REPORT_KINDS_PATH, { schema, config: MAY_REPORT }, (request) => {
    const { permissions } = callerOf(request).user;
    const allowed = REPORT_DEFINITIONS.filter(({ kind }) => mayHaveReport(kind, permissions));
    return ok(
      allowed.map(({ kind, columns, filters, chart, moment }) => ({
        kind,
        columns: [...columns],
        filters: [...filters],
        chart,
        moment,
      })),
    );
  });
}

function registerList(app: FastifyInstance, { stores, reports }: ReportRoutesDeps): void {
  listRoutes(app, {
    path: REPORT_JOBS_PATH,
    summary: 'Reports of the caller',
    access: MAY_REPORT.access,
    row: ReportJob,
    sorts: REPORT_JOB_SORTS,
    order: { sort: 'createdAtMs', descending: true },
    filters: ReportJobFilters,
    scope: ownerOf,
    load: async ({ filters, ...query }, owner) => {
      const page = await stores.reportJobs.page({ ...query, ...filters, ...owner });
      return page && { ...page, rows: page.rows.map((job) => showJob(reports, job)) };
    },
    csv: {
      fileName: 'reports.csv',
      columns: ['id', 'report', 'from', 'to', 'state', 'rows', 'bytes', 'created', 'finished', 'expires'],
      cells: () => (job) => [
        job.id,
        REPORT_KIND_NAMES[job.kind],
        csvTimestamp(job.fromMs),
        csvTimestamp(job.toMs),
        job.state,
        job.rows,
        job.bytes,
        csvTimestamp(job.createdAtMs),
        csvTimestamp(job.finishedAtMs),
        csvTimestamp(job.expiresAtMs),
      ],
    },
  });
}

function registerRunning(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { reports, stores } = deps;
  const schema = { summary: 'Runs a report', body: ReportRequest, response: answers(ReportJob) };
  routes.post(REPORT_JOBS_PATH, { schema, config: { ...REPORT_ACT, addsToGroup: true } }, async (request, reply) => {
    const refusal = await refusalOfReport(request.body, actorOf(request), stores.reportScopes);
    if (refusal !== undefined) return refuse(reply, contentRefusal(refusal, REPORT_REFUSALS));
    const added = await reports.jobs.add({ ...request.body, ...ownerOf(request), schedule: 0 });
    if (!added.ok) return refuse(reply, TOO_MANY_REPORTS);
    const detail = { job: added.value.id, ...auditFieldsOfReport(request.body) };
    await recordAudit(request, { action: 'report.run', target: REPORT_KIND_NAMES[request.body.kind], detail });
    return ok(showJob(reports, added.value));
  });
  const one = { summary: 'A report', params, response: answers(ReportJob) };
  routes.get(`${REPORT_JOBS_PATH}/:id`, { schema: one, config: MAY_REPORT }, async (request, reply) => {
    const job = await findJob(request, request.params.id, deps);
    return job === undefined ? refuse(reply, NO_REPORT) : ok(showJob(reports, job));
  });
}

function registerActs(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { reports, stores } = deps;
  const canceling = { summary: 'Cancels a report', params, response: answers(ReportJob) };
  routes.post(reportCancelPath(':id'), { schema: canceling, config: REPORT_ACT }, async (request, reply) => {
    const job = await findJob(request, request.params.id, deps);
    if (job === undefined) return refuse(reply, NO_REPORT);
    if (!(await reports.jobs.cancel(job))) return refuse(reply, REPORT_ENDED);
    const { id, kind } = job;
    await recordAudit(request, { action: 'report.cancel', target: REPORT_KIND_NAMES[kind], detail: { job: id, kind } });
    return ok(showJob(reports, (await stores.reportJobs.get(id)) ?? job));
  });
  const again = { summary: 'Runs a report again', params, response: answers(ReportJob) };
  routes.post(reportAgainPath(':id'), { schema: again, config: REPORT_ACT }, async (request, reply) => {
    const job = await findJob(request, request.params.id, deps);
    if (job === undefined) return refuse(reply, NO_REPORT);
    const refusal = await refusalOfReport(job, actorOf(request), stores.reportScopes);
    if (refusal !== undefined) return refuse(reply, contentRefusal(refusal, REPORT_REFUSALS));
    const { kind, parameters } = job;
    const added = await reports.jobs.add({ kind, parameters, ...ownerOf(request), schedule: 0 });
    if (!added.ok) return refuse(reply, TOO_MANY_REPORTS);
    const detail = { job: added.value.id, ...auditFieldsOfReport(job) };
    await recordAudit(request, { action: 'report.run', target: REPORT_KIND_NAMES[kind], detail });
    return ok(showJob(reports, added.value));
  });
}
