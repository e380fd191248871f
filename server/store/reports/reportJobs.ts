// The only module that knows `report_job`.
import { type Selectable, sql } from 'kysely';
import { MAX_OPEN_JOBS, type ReportJob, type ReportParameters } from '../../../shared/protocol/api/reports/reports.ts';
import {
  REPORT_FAULTS,
  REPORT_KINDS,
  REPORT_STATES,
  type ReportFault,
  type ReportKind,
  type ReportState,
} from '../../../shared/protocol/reports/reportWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { ReportJobTable } from './tables.ts';

export interface StoredReportJob extends ReportJob {
  readonly memberGroup: number;
  readonly userId: number;
  /** '' while there is none, and once it has expired. */
  readonly file: string;
}

interface NewReportJob {
  readonly memberGroup: number;
  readonly userId: number;
  readonly kind: ReportKind;
  readonly parameters: ReportParameters;
  readonly fromMs: number;
  readonly toMs: number;
  /** 0: requested by its owner. */
  readonly schedule: number;
  readonly atMs: number;
}

/** The owner of a file: the member who made it, in the member group in which it was made. */
export interface JobOwner {
  readonly userId: number;
  readonly memberGroup: number;
}

interface ReportJobQuery extends PageRequest<'createdAtMs'>, JobOwner {
  readonly kind?: ReportKind | undefined;
  readonly state?: ReportState | undefined;
}

export interface FinishedJob {
  readonly state: Extract<ReportState, 'done' | 'failed' | 'canceled' | 'interrupted'>;
  readonly fault: ReportFault;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly isCut: boolean;
  readonly atMs: number;
  readonly expiresAtMs: number;
}

export interface JobFile {
  readonly id: number;
  readonly memberGroup: number;
  readonly file: string;
  readonly bytes: number;
  readonly expiresAtMs: number;
}

export interface ReportJobStore {
  page(query: ReportJobQuery): Promise<FoundPage<StoredReportJob> | undefined>;
  find(id: number, owner: JobOwner): Promise<StoredReportJob | undefined>;
  /** Finds the job of any owner. */
  get(id: number): Promise<StoredReportJob | undefined>;
  insert(job: NewReportJob): Promise<Outcome<StoredReportJob, 'too-many'>>;
  /** Waiting jobs, the oldest first. */
  queued(): Promise<StoredReportJob[]>;
  /** False when it isn't waiting any more. */
  start(id: number, atMs: number): Promise<boolean>;
  /** Finishes a job that waits or runs; gives it in its new state. */
  finish(id: number, finished: FinishedJob): Promise<StoredReportJob | undefined>;
  /** Marks jobs that were running when the gateway ended. */
  interruptRunning(atMs: number): Promise<void>;
  /** All existing files, the oldest first. */
  files(): Promise<JobFile[]>;
  /** Notes that the files of these jobs have been deleted. */
  dropFiles(ids: readonly number[]): Promise<void>;
  /** Removes jobs without a file that had ended before this time. */
  removeEnded(beforeMs: number): Promise<void>;
}

/** Reports of one member that wait or are being made. A further one is refused with 429 `too-many-reports`. */
export const OPEN_JOBS_LIMIT: Limit = { name: 'reports.jobs.member', max: MAX_OPEN_JOBS };

const [QUEUED, RUNNING, DONE] = (['queued', 'running', 'done'] as const).map(stateNumber) as [number, number, number];

function stateNumber(state: ReportState): number {
  return REPORT_STATES.indexOf(state);
}

export function createReportJobStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): ReportJobStore {
  const jobs = () => db.selectFrom('report_job').selectAll();
  return {
    page: (query) => pageOfJobs(reading, query),
    find: async (id, { userId, memberGroup }) => {
      const own = jobs().where('id', '=', id).where('user_id', '=', userId).where('member_group', '=', memberGroup);
      return toJobOrNone(await own.executeTakeFirst());
    },
    get: async (id) => toJobOrNone(await jobs().where('id', '=', id).executeTakeFirst()),
    insert: (job) => db.transaction().execute((work) => insertJob(work, job, onLimit)),
    queued: async () => (await jobs().where('state', '=', QUEUED).orderBy('id').execute()).map(toJob),
    start: async (id, atMs) => {
      const waiting = db.updateTable('report_job').set({ state: RUNNING, started_at_ms: atMs });
      const { numUpdatedRows } = await waiting.where('id', '=', id).where('state', '=', QUEUED).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    finish: (id, finished) => finishJob(db, id, finished),
    interruptRunning: async (atMs) => {
      const values = { state: stateNumber('interrupted'), fault: 'interrupted', finished_at_ms: atMs };
      await db.updateTable('report_job').set(values).where('state', '=', RUNNING).execute();
    },
    files: async () => {
      const rows = await db
        .selectFrom('report_job')
        .select(['id', 'member_group as memberGroup', 'file', 'bytes', 'expires_at_ms as expiresAtMs'])
        .where('state', '=', DONE)
        .where('file', '<>', '')
        .orderBy('finished_at_ms')
        .orderBy('id')
        .execute();
      return rows;
    },
    dropFiles: async (ids) => {
      if (ids.length === 0) return;
      await db.updateTable('report_job').set({ file: '' }).where('id', 'in', ids).execute();
    },
    removeEnded: (beforeMs) =>
      deleteInParts((limit) => {
        const ended = db.selectFrom('report_job').select('id').where('state', 'not in', [QUEUED, RUNNING]);
        const old = ended.where('file', '=', '').where('finished_at_ms', '<', beforeMs).limit(limit);
        return db.deleteFrom('report_job').where('id', 'in', old);
      }),
  };
}

async function pageOfJobs(db: StoreDb, query: ReportJobQuery): Promise<FoundPage<StoredReportJob> | undefined> {
  const { userId, memberGroup, kind, state } = query;
  let rows = db
    .selectFrom('report_job')
    .selectAll()
    .where('user_id', '=', userId)
    .where('member_group', '=', memberGroup);
  if (kind !== undefined) rows = rows.where('kind', '=', kind);
  if (state !== undefined) rows = rows.where('state', '=', stateNumber(state));
  // Ids rise with the time.
  const keys = [numberColumn('report_job.created_at_ms'), numberColumn('report_job.id')];
  return mapRows(await listPage(db, { rows, keys }, query), toJob);
}

async function insertJob(
  work: StoreDb,
  { memberGroup, userId, kind, parameters, fromMs, toMs, schedule, atMs }: NewReportJob,
  onLimit: OnLimit | undefined,
): Promise<Outcome<StoredReportJob, 'too-many'>> {
  const open = work
    .selectFrom('report_job')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', 'in', [QUEUED, RUNNING]);
  if ((await open.executeTakeFirstOrThrow()).count >= OPEN_JOBS_LIMIT.max) {
    onLimit?.(OPEN_JOBS_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const values = {
    member_group: memberGroup,
    user_id: userId,
    kind,
    parameters: JSON.stringify(parameters),
    from_ms: fromMs,
    to_ms: toMs,
    schedule,
    state: QUEUED,
    created_at_ms: atMs,
  };
  const row = await work.insertInto('report_job').values(values).returningAll().executeTakeFirstOrThrow();
  return { ok: true, value: toJob(row) };
}

async function finishJob(db: StoreDb, id: number, finished: FinishedJob): Promise<StoredReportJob | undefined> {
  const { state, fault, file, rows, bytes, isCut, atMs, expiresAtMs } = finished;
  const row = await db
    .updateTable('report_job')
    .set({
      state: stateNumber(state),
      fault,
      file,
      row_count: rows,
      bytes,
      is_cut: isCut ? 1 : 0,
      progress: state === 'done' ? 1 : sql<number>`progress`,
      finished_at_ms: atMs,
      expires_at_ms: expiresAtMs,
    })
    .where('id', '=', id)
    .where('state', 'in', [QUEUED, RUNNING])
    .returningAll()
    .executeTakeFirst();
  return toJobOrNone(row);
}

function toJobOrNone(row: Selectable<ReportJobTable> | undefined): StoredReportJob | undefined {
  return row === undefined ? undefined : toJob(row);
}

function toJob(row: Selectable<ReportJobTable>): StoredReportJob {
  return {
    id: row.id,
    memberGroup: row.member_group,
    userId: row.user_id,
    kind: REPORT_KINDS.find((kind) => kind === row.kind) ?? 'trips',
    parameters: JSON.parse(row.parameters) as ReportParameters,
    fromMs: wallMs(row.from_ms),
    toMs: wallMs(row.to_ms),
    schedule: row.schedule,
    state: REPORT_STATES[row.state] ?? 'failed',
    progress: row.progress,
    rows: row.row_count,
    bytes: row.bytes,
    isCut: row.is_cut === 1,
    fault: REPORT_FAULTS.find((fault) => fault === row.fault) ?? 'internal',
    createdAtMs: wallMs(row.created_at_ms),
    startedAtMs: wallMs(row.started_at_ms),
    finishedAtMs: wallMs(row.finished_at_ms),
    expiresAtMs: wallMs(row.expires_at_ms),
    file: row.file,
  };
}
