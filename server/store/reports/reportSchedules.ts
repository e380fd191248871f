// The only module that knows `report_schedule`.
import { type Selectable, sql } from 'kysely';
import {
  MAX_SCHEDULES,
  type ReportSchedule,
  type ReportScheduleContent,
} from '../../../shared/protocol/api/reports/reports.ts';
import { nextRun } from '../../../shared/protocol/nextRun.ts';
import {
  REPORT_DELIVERIES,
  REPORT_PAUSES,
  type ReportDelivery,
  type ReportPause,
} from '../../../shared/protocol/reports/reportWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { numberColumn, textKey } from '../engine/listPage.ts';
import { createGroupRecordStore, type GroupRecordStore, type RecordEdit } from '../records/groupRecords.ts';
import type { JobOwner } from './reportJobs.ts';
import type { ReportScheduleTable } from './tables.ts';

export interface StoredReportSchedule extends ReportSchedule, JobOwner {
  /** Recipients who already have the last report, while it must still be sent to others. */
  readonly deliveredTo: readonly string[];
}

type ScheduleSort = 'name' | 'nextRunAtMs';

interface ScheduleRun {
  readonly pause: ReportPause;
  /** Time and job of the run, if it was not paused. */
  readonly ran?: { readonly atMs: number; readonly job: number };
  readonly nextRunAtMs: number;
}

export interface ReportScheduleStore
  extends GroupRecordStore<ReportScheduleContent, StoredReportSchedule, ScheduleSort, JobOwner> {
  get(id: number): Promise<StoredReportSchedule | undefined>;
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

export function createReportScheduleStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): ReportScheduleStore {
  const records = {
    table: 'report_schedule',
    rows: schedulesIn,
    toRow: toSchedule,
    toColumns,
    owned: ({ userId, memberGroup }: JobOwner) => ({ user_id: userId, member_group: memberGroup }),
    sorts: {
      name: textKey(sql`lower(report_schedule.name)`),
      nextRunAtMs: numberColumn('report_schedule.next_run_at_ms'),
    },
    searched: ['report_schedule.name'],
    limit: SCHEDULES_LIMIT,
    counted: ({ userId }: JobOwner) => ({ user_id: userId }),
  } as const;
  return {
    ...createGroupRecordStore(records, { db, reading, onLimit }),
    get: async (id) => {
      const row = await schedulesIn(db).where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toSchedule(row);
    },
    due: async (atMs) => {
      const due = schedulesIn(db).where('enabled', '=', 1).where('next_run_at_ms', '<=', atMs);
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
        await schedulesIn(db)
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

function schedulesIn(db: StoreDb) {
  return db.selectFrom('report_schedule').selectAll();
}

/** A saved schedule is checked again: the reason for a pause may be gone. */
function toColumns({ content, atMs }: RecordEdit<ReportScheduleContent>) {
  const { name, enabled, ...rest } = content;
  return {
    name,
    enabled: enabled ? 1 : 0,
    content: JSON.stringify(rest),
    pause_reason: '',
    next_run_at_ms: nextRun(content, content.parameters.timeZone, atMs),
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
