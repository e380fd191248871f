// Runs schedules when their time comes, and mails what they asked for. A run that was missed while the gateway was down is made up once.

import { nextRun } from '../../../shared/protocol/nextRun.ts';
import type { ReportDelivery } from '../../../shared/protocol/reports/reportWords.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import type { After } from '../../faults/timers.ts';
import type { ReportJobStore, StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { ReportMakerStore } from '../../store/reports/reportMakers.ts';
import type { ReportScheduleStore, StoredReportSchedule } from '../../store/reports/reportSchedules.ts';
import type { ReportScopeStore } from '../../store/reports/reportScopes.ts';
import type { ReportJobs } from '../jobs/reportJobs.ts';
import { pauseOf } from './pauseOf.ts';
import type { ReportAttachment, ReportMail } from './reportMail.ts';

interface OutgoingReport extends Pick<ReportMail, 'subject' | 'text' | 'attachment'> {
  /** The same in every attempt. */
  readonly key: string;
  readonly sender: number;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** `retry`: it can be sent later. */
export type SendReport = (mail: OutgoingReport) => Promise<'sent' | 'retry' | 'refused'>;

export interface ReportSchedulesDeps {
  readonly stores: {
    readonly reportSchedules: ReportScheduleStore;
    readonly reportJobs: Pick<ReportJobStore, 'get'>;
    readonly reportMakers: ReportMakerStore;
    readonly reportScopes: Pick<ReportScopeStore, 'seesAny'>;
  };
  readonly jobs: Pick<ReportJobs, 'add'>;
  /** Whether the sender is there, sends mail and is switched on. */
  readonly hasSender: (id: number) => Promise<boolean>;
  /** The result as a file; undefined for one that is too large for a mail. */
  readonly attachmentOf: (
    job: StoredReportJob,
    schedule: StoredReportSchedule,
  ) => Promise<ReportAttachment | undefined>;
  readonly mailOf: (
    job: StoredReportJob,
    schedule: StoredReportSchedule,
    attachment: ReportAttachment | undefined,
  ) => Promise<ReportMail>;
  readonly send: SendReport;
  readonly now: () => number;
  readonly runAfter: After;
  readonly onFault: OnFault;
  readonly onChanged: (memberGroup: number) => void;
}

const MINUTE_MS = 60_000;
/** After as many failures in a row the mail is given up. A start begins anew. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** What could not be sent by then, since the gateway was down, isn't sent any more: it is on the page. */
export const DELIVERY_TIME_MS = 24 * 60 * MINUTE_MS;
/** Another gateway, or a clock that was set, may have changed what is due. */
const LONGEST_SLEEP_MS = 10 * MINUTE_MS;

export class ReportSchedules {
  readonly #deps: ReportSchedulesDeps;
  readonly #work = new PendingWork();
  readonly #stop = new AbortController();
  readonly #retries = new Set<() => void>();
  #cancelSleep: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: ReportSchedulesDeps) {
    this.#deps = deps;
  }

  /** Goes on with what an earlier run has not sent. */
  async start(): Promise<void> {
    const { reportSchedules, reportJobs } = this.#deps.stores;
    for (const schedule of await reportSchedules.undelivered()) {
      const job = await reportJobs.get(schedule.lastJob);
      if (job?.state === 'interrupted') await this.#tryOne(schedule);
      else if (job?.state !== 'queued') this.#deliverSoon(schedule.id, schedule.lastJob);
    }
    this.workSoon();
  }

  /** Schedules were edited, or time has passed. */
  workSoon(): void {
    this.#cancelSleep();
    const turn = this.#turn.then(() => this.#runDue());
    this.#turn = turn.catch(() => undefined);
    inBackground('schedules of reports', this.#work.add(turn), this.#deps.onFault);
  }

  /** A report that a schedule asked for is done, or has failed. */
  finished(job: StoredReportJob): void {
    if (job.schedule !== 0) this.#deliverSoon(job.schedule, job.id);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancelSleep();
    for (const cancel of this.#retries) cancel();
    await this.#work.settled();
  }

  async #runDue(): Promise<void> {
    const { stores, now, runAfter } = this.#deps;
    if (this.#stop.signal.aborted) return;
    // What has failed is tried again, and soon enough that nobody misses it.
    let sleepMs = MINUTE_MS;
    try {
      let hasFailed = false;
      for (const schedule of await stores.reportSchedules.due(now())) {
        if (!(await this.#tryOne(schedule))) hasFailed = true;
      }
      const nextMs = (await stores.reportSchedules.nextDueAtMs()) ?? Number.POSITIVE_INFINITY;
      sleepMs = Math.max(hasFailed ? MINUTE_MS : 0, Math.min(LONGEST_SLEEP_MS, nextMs - now()));
    } finally {
      this.#cancelSleep();
      if (!this.#stop.signal.aborted) this.#cancelSleep = runAfter(sleepMs, () => this.workSoon());
    }
  }

  /** One that fails holds up no other. */
  async #tryOne(schedule: StoredReportSchedule): Promise<boolean> {
    try {
      await this.#runOne(schedule);
      return true;
    } catch (cause) {
      this.#deps.onFault(new Error(`schedule ${schedule.id} of reports could not run`, { cause }));
      return false;
    }
  }

  async #runOne(schedule: StoredReportSchedule): Promise<void> {
    const { stores, jobs, now, onChanged } = this.#deps;
    const { id, userId, memberGroup, kind, parameters } = schedule;
    const atMs = now();
    const nextRunAtMs = nextRun(schedule, parameters.timeZone, atMs);
    const pause = await this.pauseOf(schedule);
    if (pause !== '') {
      await stores.reportSchedules.noteRun(id, { pause, nextRunAtMs });
    } else {
      const added = await jobs.add({ userId, memberGroup, kind, parameters, schedule: id });
      const job = added.ok ? added.value.id : 0;
      await stores.reportSchedules.noteRun(id, { pause, ran: { atMs, job }, nextRunAtMs });
      // The member has too many reports waiting.
      if (!added.ok) await stores.reportSchedules.noteDelivery(id, 0, 'failed');
    }
    onChanged(memberGroup);
  }

  /** Why a schedule would not run now. */
  async pauseOf(schedule: Pick<StoredReportSchedule, 'userId' | 'memberGroup' | 'kind' | 'parameters' | 'sender'>) {
    const { stores, hasSender, now } = this.#deps;
    const { userId, memberGroup, kind, parameters, sender } = schedule;
    return pauseOf({
      kind,
      maker: await stores.reportMakers.find(userId, memberGroup),
      seesDevices: await stores.reportScopes.seesAny(memberGroup, parameters),
      hasSender: await hasSender(sender),
      nowMs: now(),
    });
  }

  #deliverSoon(schedule: number, job: number): void {
    inBackground('a report could not be sent', this.#work.add(this.#deliver(schedule, job)), this.#deps.onFault);
  }

  async #deliver(scheduleId: number, jobId: number): Promise<void> {
    const { stores, attachmentOf, mailOf } = this.#deps;
    const [schedule, job] = [await stores.reportSchedules.get(scheduleId), await stores.reportJobs.get(jobId)];
    if (schedule === undefined || schedule.lastJob !== jobId) return;
    const isThere = job !== undefined && job.state === 'done' && job.file !== '' && !this.#isTooLate(job);
    // Whoever has lost the right to it since it was begun is not sent it.
    if (!isThere || (await this.pauseOf(schedule)) !== '') return this.#note(schedule, 'failed');
    const attachment = await attachmentOf(job, schedule);
    const mail = await mailOf(job, schedule, attachment);
    // After a start, some may have it already.
    const recipients = schedule.recipients.filter((to) => !schedule.deliveredTo.includes(to));
    await this.#sendAll({ schedule, mail, recipients, have: schedule.deliveredTo, attempt: 0, hasFailed: false });
  }

  #isTooLate({ finishedAtMs }: StoredReportJob): boolean {
    return finishedAtMs < this.#deps.now() - DELIVERY_TIME_MS;
  }

  async #sendAll(sending: Sending): Promise<void> {
    const { schedule, mail, recipients, attempt } = sending;
    const { signal } = this.#stop;
    const left: string[] = [];
    let { have, hasFailed } = sending;
    for (const to of recipients) {
      const { subject, text, attachment } = mail;
      const key = `report-${schedule.lastJob}-${schedule.recipients.indexOf(to)}`;
      const sent = await this.#deps.send({ subject, text, attachment, key, sender: schedule.sender, to, signal });
      if (sent === 'sent') {
        have = [...have, to];
        await this.#deps.stores.reportSchedules.noteDeliveredTo(schedule.id, schedule.lastJob, have);
      }
      if (signal.aborted) return;
      if (sent === 'retry') left.push(to);
      hasFailed ||= sent === 'refused';
    }
    if (left.length === 0) return this.#note(schedule, hasFailed ? 'failed' : mail.delivery);
    const delayMs = RETRY_DELAYS_MS[attempt];
    if (delayMs === undefined) return this.#note(schedule, 'failed');
    this.#retryAfter(delayMs, { schedule, mail, recipients: left, have, attempt: attempt + 1, hasFailed });
  }

  #retryAfter(delayMs: number, sending: Sending): void {
    const cancel = this.#deps.runAfter(delayMs, () => {
      this.#retries.delete(cancel);
      inBackground('a report could not be sent', this.#work.add(this.#sendAll(sending)), this.#deps.onFault);
    });
    this.#retries.add(cancel);
  }

  async #note({ id, memberGroup, lastJob }: StoredReportSchedule, delivery: ReportDelivery): Promise<void> {
    await this.#deps.stores.reportSchedules.noteDelivery(id, lastJob, delivery);
    this.#deps.onChanged(memberGroup);
  }
}

interface Sending {
  readonly schedule: StoredReportSchedule;
  readonly mail: ReportMail;
  readonly recipients: readonly string[];
  /** Recipients who were sent it. */
  readonly have: readonly string[];
  /** From 0. */
  readonly attempt: number;
  readonly hasFailed: boolean;
}
