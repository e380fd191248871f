// Schedules of reports: each member has own ones, in each member group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import {
  ChangedReportSchedule,
  REPORT_SCHEDULE_SORTS,
  REPORT_SCHEDULES_PATH,
  REPORT_SENDERS_PATH,
  ReportSchedule,
  ReportScheduleContent,
  ReportSenders,
} from '../../../shared/protocol/api/reports/reports.ts';
import { nextRun } from '../../../shared/protocol/nextRun.ts';
import { isMailAddress } from '../../../shared/protocol/notify/mailAddress.ts';
import { REPORT_KIND_NAMES } from '../../../shared/protocol/reports/reportTexts.ts';
import type { NamedSchedule, ScheduleChange, StoredReportSchedule } from '../../store/reports/reportSchedules.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { registerChanging } from '../kernel/recordChanges.ts';
import { auditFieldsOfReport, refusalOfReport } from './parameterChecks.ts';
import { MAY_REPORT as config, NO_SCHEDULE, ownerOf, type ReportRoutesDeps, TOO_MANY_SCHEDULES } from './reportDeps.ts';

const params = Type.Object({ id: IdText });
const path = `${REPORT_SCHEDULES_PATH}/:id`;

export async function registerReportSchedules(app: FastifyInstance, deps: ReportRoutesDeps): Promise<void> {
  registerReading(app, deps);
  await registerChanging(app, ['reportschedule'], async (routes) => {
    registerAdding(routes, deps);
    registerSaving(routes, deps);
    registerRemoving(routes, deps);
  });
}

function registerReading(app: FastifyInstance, { stores }: ReportRoutesDeps): void {
  listRoutes(app, {
    path: REPORT_SCHEDULES_PATH,
    summary: 'Report schedules of the caller',
    access: config.access,
    row: ReportSchedule,
    sorts: REPORT_SCHEDULE_SORTS,
    order: { sort: 'name', descending: false },
    filters: {},
    scope: ownerOf,
    load: async (query, owner) => {
      const page = await stores.reportSchedules.page({ ...query, ...owner });
      return page && { ...page, rows: page.rows.map(showSchedule) };
    },
    csv: {
      fileName: 'report-schedules.csv',
      columns: ['name', 'enabled', 'report', 'every', 'recipients', 'last run', 'next run'],
      cells: () => (schedule) => [
        schedule.name,
        schedule.enabled ? 'yes' : 'no',
        REPORT_KIND_NAMES[schedule.kind],
        schedule.every,
        schedule.recipients.join(' '),
        csvTimestamp(schedule.lastRunAtMs),
        csvTimestamp(schedule.nextRunAtMs),
      ],
    },
  });
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const one = { summary: 'A report schedule', params, response: answers(ReportSchedule) };
  routes.get(path, { schema: one, config }, async (request, reply) => {
    const schedule = await stores.reportSchedules.find(Number(request.params.id), ownerOf(request));
    return schedule === undefined ? refuse(reply, NO_SCHEDULE) : ok(showSchedule(schedule));
  });
  const senders = { summary: 'Mail senders that a schedule can choose', response: answers(ReportSenders) };
  routes.get(REPORT_SENDERS_PATH, { schema: senders, config }, async () => {
    const all = await stores.notifySenderNames.all();
    return ok(all.filter(({ kind }) => kind === 'email').map(({ id, name, enabled }) => ({ id, name, enabled })));
  });
}

function registerAdding(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a report schedule', body: ReportScheduleContent, response: answers(ReportSchedule) };
  routes.post(REPORT_SCHEDULES_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const content = tidy(request.body);
    const refusal = await refusalOfSchedule(request, content, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const added = await deps.stores.reportSchedules.insert(ownerOf(request), changeOf(content, deps));
    if (!added.ok) return refuse(reply, TOO_MANY_SCHEDULES);
    const after = auditFieldsOf(added.value);
    await recordAudit(request, { action: 'reportschedule.add', target: content.name, after });
    return saved(added.value, deps);
  });
}

function registerSaving(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const body = ChangedReportSchedule;
  const schema = { summary: 'Changes a report schedule', params, body, response: answers(ReportSchedule) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...given } = request.body;
    const named = { id: Number(request.params.id), version, ...ownerOf(request) };
    if ((await deps.stores.reportSchedules.find(named.id, named)) === undefined) return refuse(reply, NO_SCHEDULE);
    const content = tidy(given);
    const refusal = await refusalOfSchedule(request, content, deps);
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await deps.stores.reportSchedules.update(named, changeOf(content, deps));
    if (!done.ok) return refuseChange(reply, named, deps);
    const [before, after] = [auditFieldsOf(done.value.before), auditFieldsOf(done.value.after)];
    await recordAudit(request, { action: 'reportschedule.change', target: content.name, before, after });
    return saved(done.value.after, deps);
  });
}

function registerRemoving(app: FastifyInstance, deps: ReportRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = VersionQuery;
  const schema = { summary: 'Deletes a report schedule', params, querystring, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const version = Number(request.query.version);
    const named = { id: Number(request.params.id), version, ...ownerOf(request) };
    const done = await deps.stores.reportSchedules.remove(named);
    if (!done.ok) return refuseChange(reply, named, deps);
    const before = auditFieldsOf(done.value);
    await recordAudit(request, { action: 'reportschedule.remove', target: done.value.name, before });
    deps.bus.listChanged.tell({ list: 'reports', memberGroup: named.memberGroup });
    return ok({});
  });
}

/** Texts without blanks at their ends. */
function tidy(content: ReportScheduleContent): ReportScheduleContent {
  const { name, recipients, ...rest } = content;
  return { ...rest, name: name.trim(), recipients: recipients.map((recipient) => recipient.trim()) };
}

async function refusalOfSchedule(
  request: FastifyRequest,
  content: ReportScheduleContent,
  deps: ReportRoutesDeps,
): Promise<Refusal | undefined> {
  const senders = await deps.stores.notifySenderNames.all();
  const faults = faultsOf(
    content,
    senders.some(({ id, kind }) => id === content.sender && kind === 'email'),
  );
  if (Object.keys(faults).length > 0) return refusedFields(faults);
  return refusalOfReport(request, content, deps);
}

function faultsOf(content: ReportScheduleContent, hasSender: boolean): Record<string, string> {
  const { name, every, weekday, monthDay, recipients, parameters } = content;
  const faults: Record<string, string> = {};
  if (name === '') faults.name = 'required';
  if ((every === 'weekly') !== weekday > 0) faults.weekday = 'out-of-range';
  if ((every === 'monthly') !== monthDay > 0) faults.monthDay = 'out-of-range';
  if (!recipients.every(isMailAddress)) faults.recipients = 'bad-format';
  // The same days each time would be the same report.
  if (parameters.period === 'from-to') faults.period = 'not-allowed';
  if (!hasSender) faults.sender = 'unknown';
  return faults;
}

function changeOf(content: ReportScheduleContent, { now }: ReportRoutesDeps): ScheduleChange {
  const atMs = now();
  return { content, atMs, nextRunAtMs: nextRun(content, content.parameters.timeZone, atMs) };
}

function saved(schedule: StoredReportSchedule, { reports, bus }: ReportRoutesDeps) {
  reports.schedules.workSoon();
  bus.listChanged.tell({ list: 'reports', memberGroup: schedule.memberGroup });
  return ok(showSchedule(schedule));
}

async function refuseChange(
  reply: FastifyReply,
  named: NamedSchedule,
  { stores }: ReportRoutesDeps,
): Promise<FastifyReply> {
  const current = await stores.reportSchedules.find(named.id, named);
  return refuse(reply, current === undefined ? NO_SCHEDULE : conflictWith(showSchedule(current)));
}

function showSchedule({
  userId: _,
  memberGroup: __,
  deliveredTo: ___,
  ...schedule
}: StoredReportSchedule): ReportSchedule {
  return schedule;
}

function auditFieldsOf(schedule: StoredReportSchedule): AuditFields {
  const { name, enabled, every, weekday, monthDay, minuteOfDay, format, language, sender, recipients } = schedule;
  const when = { every, weekday, monthDay, minuteOfDay };
  return { name, enabled, ...auditFieldsOfReport(schedule), ...when, format, language, sender, recipients };
}
