// Makes reports two at a time, fairly between member groups and their members. Jobs survive a restart, running reports don't.
import {
  MAX_REPORT_ROWS,
  REPORT_KEPT_DAYS,
  type ReportParameters,
} from '../../../shared/protocol/api/reports/reports.ts';
import { reportRange } from '../../../shared/protocol/reports/reportPeriods.ts';
import type { ReportKind } from '../../../shared/protocol/reports/reportWords.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { filesToDrop } from '../../limits/makeRoom.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { FinishedJob, JobOwner, ReportJobStore, StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { ReportOutcome, ReportProgress, ReportTask } from '../reportTask.ts';
import type { ResultFolder } from '../results/resultFolder.ts';
import { nextJob } from './nextJob.ts';

interface RunOptions {
  /** Ends the work at once. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReportProgress) => void;
}

/** Makes a report, in a thread of its own. Never rejects for errors in that thread. */
export type RunReport = (task: ReportTask, options: RunOptions) => Promise<ReportOutcome>;

export interface ReportJobsDeps {
  readonly store: ReportJobStore;
  readonly folder: ResultFolder;
  readonly run: RunReport;
  /** Bytes of all results together. */
  readonly maxBytes: number;
  readonly now: () => number;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
  /** Called when reports of the member group's members have progressed. */
  readonly onChanged: (memberGroup: number) => void;
  /** Called when a report is done, or has failed. */
  readonly onFinished: (job: StoredReportJob) => void;
}

export interface WantedReport extends JobOwner {
  readonly kind: ReportKind;
  readonly parameters: ReportParameters;
  /** 0: a member asked for it. */
  readonly schedule: number;
}

/** Reports that are made at a time: more would take time from everything else on the machine. The others wait, in turn between members. */
export const RUNNING_REPORTS_LIMIT: Limit = { name: 'reports.jobs.running', max: 2 };
/** Rows of a report. Further ones are left out, and the report says so. */
export const REPORT_ROWS_LIMIT: Limit = { name: 'reports.rows', max: MAX_REPORT_ROWS };
const DAY_MS = 86_400_000;
/** Time for which a report stays in the list after it has ended. */
const JOB_KEPT_MS = 30 * DAY_MS;

interface Running {
  readonly job: StoredReportJob;
  readonly abort: AbortController;
  progress: ReportProgress;
  isCanceled: boolean;
}

export class ReportJobs {
  readonly #deps: ReportJobsDeps;
  readonly #running = new Map<number, Running>();
  readonly #lastBegun = new Map<number, number>();
  readonly #lastBegunOfGroup = new Map<number, number>();
  readonly #work = new PendingWork();
  #begun = 0;
  /** The last report that was reported as waiting. */
  #toldWaiting = 0;
  #isClosed = false;
  /** Reports begin one after another, since each looks at those that run. */
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: ReportJobsDeps) {
    this.#deps = deps;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Tidies up after an earlier run; reports that waited then go on waiting. */
  async start(): Promise<void> {
    const { store, folder, now } = this.#deps;
    await store.interruptRunning(now());
    await folder.removeOthers(new Set((await store.files()).map(({ file }) => file)));
    this.#beginSoon();
  }

  async add({
    userId,
    memberGroup,
    kind,
    parameters,
    schedule,
  }: WantedReport): Promise<Outcome<StoredReportJob, 'too-many'>> {
    const atMs = this.#deps.now();
    const range = reportRange(parameters, atMs);
    const job = { memberGroup, userId, kind, parameters, ...range, schedule, atMs };
    const added = await this.#deps.store.insert(job);
    if (added.ok) {
      this.#deps.onChanged(memberGroup);
      this.#beginSoon();
    }
    return added;
  }

  /** False for a report that has ended. */
  async cancel(job: StoredReportJob): Promise<boolean> {
    const running = this.#running.get(job.id);
    if (running !== undefined) running.isCanceled = true;
    const canceled = await this.#finish(job, { state: 'canceled', fault: '' });
    running?.abort.abort();
    return canceled !== undefined;
  }

  /** The job, with the progress of a running one. */
  shown(job: StoredReportJob): StoredReportJob {
    const running = this.#running.get(job.id);
    if (running === undefined || job.state !== 'running') return job;
    return { ...job, progress: running.progress.share, rows: running.progress.rows };
  }

  /** Deletes expired results, and if there are too many bytes, the oldest results of the member group that has the most. */
  async sweep(): Promise<void> {
    const { store, folder, now, maxBytes, onLimit } = this.#deps;
    const files = await store.files();
    const expired = files.filter(({ expiresAtMs }) => expiresAtMs <= now());
    const left = files.filter((file) => !expired.includes(file));
    const dropped = filesToDrop(left, maxBytes);
    for (const _ of dropped) onLimit(REPORT_BYTES_LIMIT);
    const gone = [...expired, ...dropped];
    await store.dropFiles(gone.map(({ id }) => id));
    for (const { file } of gone) await folder.remove(file);
    for (const memberGroup of new Set(gone.map((each) => each.memberGroup))) this.#deps.onChanged(memberGroup);
    await store.removeEnded(now() - JOB_KEPT_MS);
  }

  /** Running reports become interrupted when the gateway starts again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { abort } of this.#running.values()) abort.abort();
    await this.#work.settled();
  }

  #beginSoon(): void {
    const turn = this.#turn.then(() => this.#begin());
    this.#turn = turn.catch(() => undefined);
    inBackground('reports could not begin', this.#work.add(turn), this.#deps.onFault);
  }

  async #begin(): Promise<void> {
    if (this.#isClosed) return;
    const { store, now } = this.#deps;
    const waiting = await store.queued();
    while (!this.#isClosed && this.#running.size < RUNNING_REPORTS_LIMIT.max) {
      const jobs = [...this.#running.values()].map(({ job }) => job);
      const job = nextJob(waiting, {
        jobs,
        lastBegun: (userId) => this.#lastBegun.get(userId) ?? 0,
        lastBegunOfGroup: (memberGroup) => this.#lastBegunOfGroup.get(memberGroup) ?? 0,
      });
      if (job === undefined) return;
      waiting.splice(waiting.indexOf(job), 1);
      if (!(await store.start(job.id, now()))) continue;
      this.#begun++;
      this.#lastBegun.set(job.userId, this.#begun);
      this.#lastBegunOfGroup.set(job.memberGroup, this.#begun);
      inBackground('a report could not be finished', this.#work.add(this.#run(job)), this.#deps.onFault);
    }
    this.#tellWaiting(waiting);
  }

  /** Reports each waiting job once, however often a report begins meanwhile. */
  #tellWaiting(waiting: readonly StoredReportJob[]): void {
    if (this.#isClosed) return;
    for (const { id } of waiting) {
      if (id <= this.#toldWaiting) continue;
      this.#toldWaiting = id;
      this.#deps.onLimit(RUNNING_REPORTS_LIMIT);
    }
  }

  async #run(job: StoredReportJob): Promise<void> {
    const { folder, run, now, maxBytes, onChanged } = this.#deps;
    const abort = new AbortController();
    const running: Running = { job, abort, progress: { share: 0, rows: 0 }, isCanceled: false };
    this.#running.set(job.id, running);
    onChanged(job.memberGroup);
    const file = folder.newName();
    const onProgress = (progress: ReportProgress): void => {
      running.progress = progress;
      onChanged(job.memberGroup);
    };
    const { kind, parameters, memberGroup, fromMs, toMs } = job;
    const bounds = { maxRows: REPORT_ROWS_LIMIT.max, maxBytes };
    const task = { kind, parameters, memberGroup, fromMs, toMs, nowMs: now(), file: folder.pathOf(file), ...bounds };
    try {
      const outcome = await run(task, { signal: abort.signal, onProgress }).catch(notRun);
      // A report that a stop has ended becomes interrupted, as the next start notes.
      if (!this.#isClosed && !running.isCanceled) await this.#finished(job, file, outcome);
      else await folder.remove(file);
    } finally {
      this.#running.delete(job.id);
      if (!this.#isClosed) this.#beginSoon();
    }
  }

  async #finished(job: StoredReportJob, file: string, outcome: ReportOutcome): Promise<void> {
    const { folder, onLimit, onFault, onFinished } = this.#deps;
    if (!outcome.ok && outcome.fault === 'internal') onFault(new Error(`report ${job.id}: ${outcome.message}`));
    if (!outcome.ok && outcome.fault === 'too-large') onLimit(REPORT_BYTES_LIMIT);
    if (outcome.ok && outcome.isCut) onLimit(REPORT_ROWS_LIMIT);
    const finished = outcome.ok
      ? await this.#finish(job, { ...outcome, state: 'done', fault: '', file })
      : await this.#finish(job, { state: 'failed', fault: outcome.fault });
    if (finished?.file !== file) await folder.remove(file);
    await this.sweep();
    if (finished !== undefined) onFinished(finished);
  }

  async #finish(
    { id, memberGroup }: StoredReportJob,
    finished: Pick<FinishedJob, 'state' | 'fault'> & Partial<FinishedJob>,
  ): Promise<StoredReportJob | undefined> {
    const { store, now, onChanged } = this.#deps;
    const { state, fault, file = '', rows = 0, bytes = 0, isCut = false } = finished;
    const atMs = now();
    const expiresAtMs = file === '' ? 0 : atMs + REPORT_KEPT_DAYS * DAY_MS;
    const ended = await store.finish(id, { state, fault, file, rows, bytes, isCut, atMs, expiresAtMs });
    if (ended !== undefined) onChanged(memberGroup);
    return ended;
  }
}

/** The thread could not even be started: the job must not seem to run for ever. */
function notRun(error: unknown): ReportOutcome {
  return { ok: false, fault: 'internal', message: error instanceof Error ? error.message : String(error) };
}

/**
 * Size of the results of all reports together; `REPORT_MAX_MB` sets another maximum. The oldest results are deleted to make room, and a
 * report that is too large by itself is given up.
 */
const REPORT_BYTES_LIMIT: Limit = { name: 'reports.bytes', max: 4_096 * 1_024 * 1_024 };
