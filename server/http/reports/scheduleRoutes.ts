// Schedules of reports: each member has own ones, in each member group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { IdText } from '../../../shared/protocol/api/records.ts';
import {
  ChangedReportSchedule,
  REPORT_SCHEDULE_SORTS,
  REPORT_SCHEDULES_PATH,
  REPORT_SENDERS_PATH,
  ReportSchedule,
  ReportScheduleContent,
  ReportSenders,
} from '../../../shared/protocol/api/reports/reports.ts';
import { REPORT_KIND_NAMES } from '../../../shared/protocol/reports/reportTexts.ts';
import { createReportScheduleActs } from '../../reports/acts/schedules.ts';
import type { StoredReportSchedule } from '../../store/reports/reportSchedules.ts';
import { answers } from '../kernel/answers.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordRoutes } from '../kernel/records/recordRoutes.ts';
import {
  MAY_REPORT as config,
  NO_SCHEDULE,
  ownerOf,
  REPORT_REFUSALS,
  type ReportRoutesDeps,
  TOO_MANY_SCHEDULES,
} from './reportDeps.ts';

const params = Type.Object({ id: IdText });

export function registerReportSchedules(app: FastifyInstance, deps: ReportRoutesDeps): void {
  registerReading(app, deps);
  const { stores, bus, now } = deps;
  recordRoutes(app, {
    path: REPORT_SCHEDULES_PATH,
    noun: 'a report schedule',
    access: config.access,
    content: ReportScheduleContent,
    changed: ChangedReportSchedule,
    row: ReportSchedule,
    acts: createReportScheduleActs({
      store: stores.reportSchedules,
      senders: stores.notifySenderNames,
      scopes: stores.reportScopes,
      bus,
      now,
    }),
    show: showSchedule,
    refusals: { gone: NO_SCHEDULE, tooMany: TOO_MANY_SCHEDULES, ...REPORT_REFUSALS },
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
  routes.get(`${REPORT_SCHEDULES_PATH}/:id`, { schema: one, config }, async (request, reply) => {
    const schedule = await stores.reportSchedules.find(Number(request.params.id), ownerOf(request));
    return schedule === undefined ? refuse(reply, NO_SCHEDULE) : ok(showSchedule(schedule));
  });
  const senders = { summary: 'Mail senders that a schedule can choose', response: answers(ReportSenders) };
  routes.get(REPORT_SENDERS_PATH, { schema: senders, config }, async () => {
    const all = await stores.notifySenderNames.all();
    return ok(all.filter(({ kind }) => kind === 'email').map(({ id, name, enabled }) => ({ id, name, enabled })));
  });
}

function showSchedule({
  userId: _,
  memberGroup: __,
  deliveredTo: ___,
  ...schedule
}: StoredReportSchedule): ReportSchedule {
  return schedule;
}
