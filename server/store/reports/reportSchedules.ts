// The only module that knows `report_schedule`.
import { type Selectable, sql } from 'kysely';
import {
  MAX_SCHEDULES,
  type ReportSchedule,
  type ReportScheduleContent,
} from '../../../shared/protocol/api/reports/reports.ts';
import {
  REPORT_DELIVERIES,
  REPORT_PAUSES,
  type ReportDelivery,
  type ReportPause,
} from '../../../shared/protocol/reports/reportWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, textKey } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { JobOwner } from './reportJobs.ts';
import type { ReportScheduleTable } from './tables.ts';

export interface StoredReportSchedule extends ReportSchedule, JobOwner {
  /** Recipients who already have the last report, while it must still be sent to others. */
  readonly deliveredTo: readonly string[];
}

interface ReportScheduleQuery extends PageRequest<'name' | 'nextRunAtMs'>, JobOwner {
  readonly search: string;
}

/** A version of a schedule; a schedule of another user or another member group counts as missing. */
export interface NamedSchedule extends JobOwner {
  readonly id: number;
  readonly version: number;
}

export interface ScheduleChange {
  readonly content: ReportScheduleContent;
  readonly nextRunAtMs: number;
  readonly atMs: number;
}

interface ScheduleRun {
  readonly pause: ReportPause;
  /** Time and job of the run, if it was not paused. */
  readonly ran?: { readonly atMs: number; readonly job: number };
  readonly nextRunAtMs: number;
}

interface Changed {
  readonly before: StoredReportSchedule;
  readonly after: StoredReportSchedule;
}

export interface ReportScheduleStore {
  page(query: ReportScheduleQuery): Promise<FoundPage<StoredReportSchedule> | undefined>;
  find(id: number, owner: JobOwner): Promise<StoredReportSchedule | undefined>;
  get(id: number): Promise<StoredReportSchedule | undefined>;
  insert(owner: JobOwner, change: ScheduleChange): Promise<Outcome<StoredReportSchedule, 'too-many'>>;
  update(named: NamedSchedule, change: ScheduleChange): Promise<Outcome<Changed, 'gone' | 'conflict'>>;
  remove(named: NamedSchedule): Promise<Outcome<StoredReportSchedule, 'gone' | 'conflict'>>;
  /** Schedules that are turned on and whose time has come, the earliest first. */
  due(atMs: number): Promise<StoredReportSchedule[]>;
  /** When the next schedule that is turned on is due. */
  nextDueAtMs(): Promise<number | undefined>;
  noteRun(id: number, run: ScheduleRun): Promise<void>;
  /** Stores the delivery of the last job; other jobs are ignored. */
  noteDelivery(id: number, job: number, delivery: ReportDelivery): Promise<void>;
  /** Notes that some recipients have it, and others don't yet. */
  noteDeliveredTo(id: number, job: number, recipients: readonly string[]): Promise<void>;
  /** Schedules whose last job hasn't been sent to all recipients yet. */
  undelivered(): Promise<StoredReportSchedule[]>;
}

/** Report schedules of one member. A further one is refused with 409 `too-many-report-schedules`. */
export const SCHEDULES_LIMIT: Limit = { name: 'reports.schedules.member', max: MAX_SCHEDULES };

const ORDER = {
  name: textKey(sql`lower(report_schedule.name)`),
  nextRunAtMs: numberColumn('report_schedule.next_run_at_ms'),
} as const;

export function createReportScheduleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): ReportScheduleStore {
  const all = () => db.selectFrom('report_schedule').selectAll();
  return {
    page: (query) => pageOfSchedules(reading, query),
    find: (id, owner) => findSchedule(db, id, owner),
    get: async (id) => {
      const row = await all().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toSchedule(row);
    },
    insert: (owner, change) => db.transaction().execute((work) => insertSchedule(work, { owner, change }, onLimit)),
    update: (named, change) => db.transaction().execute((work) => updateSchedule(work, named, change)),
    remove: (named) => db.transaction().execute((work) => removeSchedule(work, named)),
    due: async (atMs) => {
      const due = all().where('enabled', '=', 1).where('next_run_at_ms', '<=', atMs);
      return (await due.orderBy('next_run_at_ms').orderBy('id').execute()).map(toSchedule);
    },
    nextDueAtMs: async () => {
      const next = db.selectFrom('report_schedule').select(({ fn }) => fn.min('next_run_at_ms').as('at'));
      const row = await next.where('enabled', '=', 1).executeTakeFirst();
      return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
    },
    noteRun: async (id, { pause, ran, nextRunAtMs }) => {
      const noted = ran === undefined ? {} : { last_run_at_ms: ran.atMs, last_job: ran.job, last_delivery: '' };
      const values = { pause_reason: pause, next_run_at_ms: nextRunAtMs, ...noted };
      await db.updateTable('report_schedule').set(values).where('id', '=', id).execute();
    },
    noteDelivery: (id, job, delivery) => setDelivery(db, { id, job }, delivery),
    noteDeliveredTo: (id, job, recipients) => setDelivery(db, { id, job }, JSON.stringify(recipients)),
    undelivered: async () =>
      (
        await all()
          .where('last_job', '>', 0)
          .where('last_delivery', 'not in', [...DELIVERED])
          .execute()
      ).map(toSchedule),
  };
}

/** Final results; otherwise there is none yet, or the list of the recipients who have the report. */
const DELIVERED = REPORT_DELIVERIES.filter((delivery) => delivery !== '');

async function setDelivery(
  db: StoreDb,
  { id, job }: { readonly id: number; readonly job: number },
  delivery: string,
): Promise<void> {
  const schedule = db.updateTable('report_schedule').set({ last_delivery: delivery }).where('id', '=', id);
  await schedule.where('last_job', '=', job).execute();
}

function deliveredTo(delivery: string): string[] {
  return delivery.startsWith('[') ? (JSON.parse(delivery) as string[]) : [];
}

async function pageOfSchedules(
  db: StoreDb,
  query: ReportScheduleQuery,
): Promise<FoundPage<StoredReportSchedule> | undefined> {
  const { userId, memberGroup, search, sort } = query;
  const own = db
    .selectFrom('report_schedule')
    .selectAll()
    .where('user_id', '=', userId)
    .where('member_group', '=', memberGroup);
  const found = searchIn(['report_schedule.name'], search);
  const rows = found === undefined ? own : own.where(found);
  return mapRows(
    await listPage(db, { rows, keys: [ORDER[sort], numberColumn('report_schedule.id')] }, query),
    toSchedule,
  );
}

async function findSchedule(
  db: StoreDb,
  id: number,
  { userId, memberGroup }: JobOwner,
): Promise<StoredReportSchedule | undefined> {
  const own = db.selectFrom('report_schedule').selectAll().where('id', '=', id).where('user_id', '=', userId);
  const row = await own.where('member_group', '=', memberGroup).executeTakeFirst();
  return row === undefined ? undefined : toSchedule(row);
}

async function insertSchedule(
  work: StoreDb,
  { owner, change }: { readonly owner: JobOwner; readonly change: ScheduleChange },
  onLimit: OnLimit | undefined,
): Promise<Outcome<StoredReportSchedule, 'too-many'>> {
  const { userId, memberGroup } = owner;
  const own = work.selectFrom('report_schedule').select(({ fn }) => fn.countAll<number>().as('count'));
  if ((await own.where('user_id', '=', userId).executeTakeFirstOrThrow()).count >= SCHEDULES_LIMIT.max) {
    onLimit?.(SCHEDULES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const values = { user_id: userId, member_group: memberGroup, ...toColumns(change) };
  const row = await work.insertInto('report_schedule').values(values).returningAll().executeTakeFirstOrThrow();
  return { ok: true, value: toSchedule(row) };
}

async function updateSchedule(
  work: StoreDb,
  named: NamedSchedule,
  change: ScheduleChange,
): Promise<Outcome<Changed, 'gone' | 'conflict'>> {
  const before = await findSchedule(work, named.id, named);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const row = await work
    .updateTable('report_schedule')
    .set({ ...toColumns(change), version: named.version + 1 })
    .where('id', '=', named.id)
    .where('version', '=', named.version)
    .returningAll()
    .executeTakeFirst();
  return row === undefined
    ? { ok: false, reason: 'conflict' }
    : { ok: true, value: { before, after: toSchedule(row) } };
}

async function removeSchedule(
  work: StoreDb,
  named: NamedSchedule,
): Promise<Outcome<StoredReportSchedule, 'gone' | 'conflict'>> {
  const before = await findSchedule(work, named.id, named);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const schedule = work.deleteFrom('report_schedule').where('id', '=', named.id).where('version', '=', named.version);
  const { numDeletedRows } = await schedule.executeTakeFirst();
  return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
}

/** A saved schedule is checked again: the reason for a pause may be gone. */
function toColumns({ content, nextRunAtMs, atMs }: ScheduleChange) {
  const { name, enabled, ...rest } = content;
  return {
    name,
    enabled: enabled ? 1 : 0,
    content: JSON.stringify(rest),
    pause_reason: '',
    next_run_at_ms: nextRunAtMs,
    changed_at_ms: atMs,
  };
}

function toSchedule(row: Selectable<ReportScheduleTable>): StoredReportSchedule {
  const content = JSON.parse(row.content) as Omit<ReportScheduleContent, 'name' | 'enabled'>;
  return {
    ...content,
    id: row.id,
    userId: row.user_id,
    memberGroup: row.member_group,
    version: row.version,
    name: row.name,
    enabled: row.enabled === 1,
    pause: REPORT_PAUSES.find((pause) => pause === row.pause_reason) ?? '',
    lastRunAtMs: wallMs(row.last_run_at_ms),
    lastJob: row.last_job,
    lastDelivery: REPORT_DELIVERIES.find((delivery) => delivery === row.last_delivery) ?? '',
    deliveredTo: deliveredTo(row.last_delivery),
    nextRunAtMs: wallMs(row.next_run_at_ms),
  };
}
