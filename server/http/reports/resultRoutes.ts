// What reports have found: a page of the table, the chart, and the whole of it as a file.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { DownloadAddress, MAX_LIST_ROWS } from '../../../shared/protocol/api/lists.ts';
import { closed, IdText, type RecordOf } from '../../../shared/protocol/api/records.ts';
import {
  REPORT_CHART_PATH,
  REPORT_FILE_PATH,
  REPORT_RESULT_PATH,
  ReportChart,
  ReportFile,
  ReportResult,
  ReportResultQuery,
} from '../../../shared/protocol/api/reports/reports.ts';
import { REPORT_KIND_NAMES } from '../../../shared/protocol/reports/reportTexts.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { reportDefinition } from '../../reports/kinds/list.ts';
import type { StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { ReportScope } from '../../store/reports/reportScopes.ts';
import { answers } from '../kernel/answers.ts';
import { ok, type Refusal, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  findJob,
  MAY_REPORT,
  NO_REPORT,
  REPORT_ACT,
  REPORT_EXPIRED,
  REPORT_NOT_READY,
  type ReportRoutesDeps,
  showJob,
  TOO_MANY_QUESTIONS,
} from './reportDeps.ts';
import { reportSheet, visibleOf } from './reportSheet.ts';

const DEFAULT_ROWS = 50;
/** More bars are too thin to distinguish; the largest are shown. */
const MAX_BARS = 100;

export function registerReportResults(app: FastifyInstance, deps: ReportRoutesDeps): void {
  registerPage(app, deps);
  registerChart(app, deps);
  registerFile(app, deps);
}

/** One whose result is there, or why it is not. */
async function findResult(
  request: FastifyRequest,
  id: string | number,
  deps: Pick<ReportRoutesDeps, 'stores'>,
): Promise<StoredReportJob | Refusal> {
  const job = await findJob(request, id, deps);
  if (job === undefined) return NO_REPORT;
  if (job.state !== 'done') return REPORT_NOT_READY;
  return job.file === '' ? REPORT_EXPIRED : job;
}

function registerPage(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, reports } = deps;
  const schema = { summary: 'Rows of a report', querystring: ReportResultQuery, response: answers(ReportResult) };
  routes.get(REPORT_RESULT_PATH, { schema, config: MAY_REPORT }, async (request, reply) => {
    const { query } = request;
    const job = await findResult(request, query.job, deps);
    if ('status' in job) return refuse(reply, job);
    const scope = await stores.reportScopes.scopeOf(job.memberGroup);
    const wanted = readQuery(query, job, scope);
    if (wanted === undefined) return refuse(reply, Refused.badRequest);
    const ask = () => reports.results.page(job.file, { query: wanted });
    const page = await reports.places.during(job.userId, ask);
    if (page === undefined) return refuse(reply, TOO_MANY_QUESTIONS);
    const { rows, total, hidden } = page;
    const { offset, limit } = wanted;
    return ok({
      job: showJob(reports, job),
      total,
      rows: rows.map(({ row, deviceId, values }) => ({ row, deviceid: deviceId, values: [...values] })),
      next: offset + limit < total ? String(offset + limit) : null,
      previous: offset > 0 ? String(offset) : null,
      hidden,
    });
  });
}

/** A result never changes, so that a place in it is the number of rows before it. */
const CURSOR = /^\d{1,6}$/;

function readQuery(given: RecordOf<typeof ReportResultQuery>, { kind }: StoredReportJob, scope: ReportScope) {
  const { columns } = reportDefinition(kind);
  const sort = given.sort === undefined ? undefined : columns.findIndex(({ name }) => name === given.sort);
  const limit = Math.min(Number(given.limit ?? DEFAULT_ROWS), MAX_LIST_ROWS);
  const cursor = given.after ?? given.before ?? '0';
  if (sort === -1 || !CURSOR.test(cursor)) return undefined;
  const before = Math.max(0, Number(cursor) - limit);
  const search = given.search?.trim() ?? '';
  const isBackward = given.after === undefined && given.before !== undefined;
  return {
    columns,
    visible: visibleOf(scope),
    sort,
    descending: given.descending === 'true',
    search,
    searchedDevices: search === '' ? [] : devicesCalled(scope, search.toLowerCase()),
    offset: isBackward ? before : Number(cursor),
    // A first page that is not full would begin with rows of the next one.
    limit: isBackward ? Math.min(limit, Math.max(1, Number(cursor))) : limit,
  };
}

function devicesCalled({ devices }: ReportScope, search: string): string[] {
  return devices
    .filter(({ name, plate }) => `${name}\n${plate}`.toLowerCase().includes(search))
    .map(({ deviceId }) => deviceId);
}

function registerChart(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, reports } = deps;
  const querystring = Type.Object({ job: IdText }, closed);
  const schema = { summary: 'A report as bars', querystring, response: answers(ReportChart) };
  routes.get(REPORT_CHART_PATH, { schema, config: MAY_REPORT }, async (request, reply) => {
    const job = await findResult(request, request.query.job, deps);
    if ('status' in job) return refuse(reply, job);
    const { chart, columns } = reportDefinition(job.kind);
    if (chart === null) return ok([]);
    const numberOf = (column: string): number => columns.findIndex(({ name }) => name === column);
    const visible = visibleOf(await stores.reportScopes.scopeOf(job.memberGroup));
    const bars = { by: numberOf(chart.by), value: numberOf(chart.value), most: MAX_BARS };
    const ask = () => reports.results.chart(job.file, { columns: bars, visible });
    const chartBars = await reports.places.during(job.userId, ask);
    return chartBars === undefined ? refuse(reply, TOO_MANY_QUESTIONS) : ok([...chartBars]);
  });
}

function registerFile(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'A report as a file', body: ReportFile, response: answers(DownloadAddress) };
  routes.post(REPORT_FILE_PATH, { schema, config: REPORT_ACT }, async (request, reply) => {
    const wanted = request.body;
    if (!isTimeZone(wanted.timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    const job = await findResult(request, wanted.job, deps);
    if ('status' in job) return refuse(reply, job);
    const address = app.downloads.offer(request, {
      access: MAY_REPORT.access,
      send: (current, answer, isAllowed) => sendFile(current, answer, { wanted, deps, isAllowed }),
    });
    return ok({ address });
  });
}

interface Sending {
  readonly wanted: RecordOf<typeof ReportFile>;
  readonly deps: ReportRoutesDeps;
  readonly isAllowed: () => Promise<boolean>;
}

/** The caller may have changed the member group since the address was given. */
async function sendFile(request: FastifyRequest, reply: FastifyReply, { wanted, deps, isAllowed }: Sending) {
  const job = await findResult(request, wanted.job, deps);
  if ('status' in job) return refuse(reply, job);
  const mayStillHave = async (): Promise<boolean> =>
    (await isAllowed()) && (await findJob(request, job.id, deps)) !== undefined;
  const { stores, localesRoot, reports } = deps;
  const access = { stores, localesRoot, results: reports.results, isAllowed: mayStillHave };
  const { fileName, contentType, content } = await reportSheet(job, wanted, access);
  const detail = { job: job.id, kind: job.kind, format: wanted.format };
  await recordAudit(request, { action: 'report.file', target: REPORT_KIND_NAMES[job.kind], detail });
  return reply
    .type(contentType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .serializer((payload: unknown) => payload as string)
    .send(content);
}
