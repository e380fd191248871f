// Runs firmware tasks: it looks at them every few seconds, and whenever a terminal or a member has acted.
import {
  FIRMWARE_PART_CODES,
  type FirmwareTaskReason,
  type FirmwareTaskState,
} from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { Report, ReportFeed } from '../../device/reportFeed.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf } from '../../faults/onFault.ts';
import { PendingWork } from '../../faults/pendingWork.ts';
import { Rounds, type RoundsOptions } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import type { FirmwareDeviceStore } from '../../store/firmware/firmwareDevices.ts';
import type { FirmwareReachStore, ReachedDevice } from '../../store/firmware/firmwareReach.ts';
import type { FirmwareTaskStore, TaskNote } from '../../store/firmware/firmwareTasks.ts';
import type { Sign } from '../rules/verification.ts';
import { ChangeWriter } from './changeWriter.ts';
import { putBack, Sending, type SendingDeps } from './sending.ts';
import type { ModelRecord, TaskImages } from './taskImage.ts';
import { TaskRun, type TaskRunDeps } from './taskRun.ts';

export interface MovedTask {
  readonly name: string;
  readonly state: FirmwareTaskState;
  readonly reason: FirmwareTaskReason;
}

export interface FirmwareEngineDeps
  extends Pick<SendingDeps, 'modelOf' | 'delivery' | 'session' | 'now'>,
    Pick<TaskRunDeps, 'situationOf' | 'askVersion'>,
    Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly stores: {
    readonly firmwareTasks: Pick<FirmwareTaskStore, 'open' | 'findAnywhere' | 'note'>;
    readonly firmwareDevices: Pick<FirmwareDeviceStore, 'ofTask' | 'write'>;
    readonly firmwareReach: Pick<FirmwareReachStore, 'devices' | 'device'>;
  };
  readonly images: TaskImages;
  readonly feed: Pick<ReportFeed, 'subscribe'>;
  /** Called when a device of a task has failed, or was refused. Undefined where the member group no longer has the device. */
  readonly onDeviceFailed: (device: ReachedDevice | undefined) => void;
  /** Called when a task has paused, stopped or ended by itself. */
  readonly onTaskMoved: (task: MovedTask) => void;
  /** Called when tasks of the member group have changed. */
  readonly onChanged: (memberGroup: number) => void;
  readonly onLimit: OnLimit;
}

/** Devices of all tasks that firmware is being sent to: each has a file open and some packages in memory. The others wait. */
export const SENDS_LIMIT: Limit = { name: 'firmware.sends.all', max: 200 };
const ROUND_MS = 5_000;
/** Several terminals that sign in at once are looked at together. */
const SOON_MS = 250;
/** Signs kept of one terminal while it is being sent to; beyond this the oldest are forgotten. */
const HEARD = 20;

export class FirmwareEngine {
  readonly #deps: FirmwareEngineDeps;
  readonly #writer: ChangeWriter;
  readonly #sending: Sending;
  readonly #runs = new Map<number, TaskRun>();
  /** Signs of terminals that are being sent to, by the device's row. */
  readonly #heard = new Map<number, Sign[]>();
  readonly #pending = new PendingWork();
  /** Changes that tasks have made by themselves and that the database doesn't have yet, each with the version in the database. */
  readonly #notes = new Map<number, { readonly expectedVersion: number; readonly note: TaskNote }>();
  /** Tasks that calls have changed, or that an earlier run has left, until they are read. True: `isAccepted`. */
  readonly #unread = new Map<number, boolean>();
  #turn: Promise<unknown> = Promise.resolve();
  #placesAreOld = true;
  #rounds: Rounds | undefined;
  #unsubscribe: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: FirmwareEngineDeps) {
    this.#deps = deps;
    this.#writer = new ChangeWriter(deps.stores.firmwareDevices);
    const reach = deps.stores.firmwareReach;
    this.#sending = new Sending({ ...deps, reach, writer: this.#writer });
  }

  /** Tasks that are loaded. */
  get taskCount(): number {
    return this.#runs.size;
  }

  get sendingCount(): number {
    return this.#heard.size;
  }

  /** Resumes the tasks that an earlier run has left. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.feed.subscribe('firmware tasks', (report) => this.#handle(report));
    for (const id of await this.#deps.stores.firmwareTasks.open()) this.#unread.set(id, false);
    await this.#inTurn(() => this.#readChanged());
    const { runAfter, onFault } = this.#deps;
    const failure = 'firmware tasks could not be worked on';
    const work = () => this.#inTurn(() => this.#round());
    this.#rounds = new Rounds({ work, failure, intervalMs: ROUND_MS, delayMs: SOON_MS, runAfter, onFault });
  }

  /**
   * Call this when a call has started, resumed, paused or stopped the task, or has had devices retried. Settles once this takes
   * effect; if the database fails meanwhile, it rejects, and the next rounds try again. `isAccepted`: the task goes on with its
   * next stage although the last one has failed.
   */
  taskChanged(id: number, { isAccepted = false } = {}): Promise<void> {
    this.#toRead(id, isAccepted);
    return this.#inTurn(async () => {
      await this.#round();
      if (this.#unread.has(id) && !this.#isClosed) throw new Error(`firmware task ${id} is still to be read`);
    });
  }

  /** Call this when devices, groups or models have changed. */
  recordsChanged(): void {
    this.#placesAreOld = true;
    this.#rounds?.workSoon();
  }

  /** Aborts what is being sent; it begins again with the next run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    await this.#rounds?.close();
    for (const run of this.#runs.values()) run.close();
    await this.#pending.settled();
    await this.#inTurn(() => this.#write());
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #toRead(id: number, isAccepted: boolean): void {
    // An acceptance stays, whatever is done to the task before it can be read.
    this.#unread.set(id, isAccepted || this.#unread.get(id) === true);
  }

  /** A task that can't be read blocks neither the others nor the gateway's start. */
  async #readChanged(): Promise<void> {
    for (const [id, isAccepted] of [...this.#unread]) {
      // Removed before the task is read, so that changes during the reading are read again.
      this.#unread.delete(id);
      try {
        await this.#load(id, isAccepted);
        this.#placesAreOld = true;
      } catch (cause) {
        this.#toRead(id, isAccepted);
        this.#deps.onFault(faultOf(`firmware task ${id} could not be read`, cause));
      }
    }
  }

  async #load(id: number, isAccepted: boolean): Promise<void> {
    const { stores, images } = this.#deps;
    const known = this.#runs.get(id);
    // The state in memory is newer than the database's.
    await this.#write();
    const task = await stores.firmwareTasks.findAnywhere(id);
    if (task === undefined) return;
    const stored = await stores.firmwareDevices.ofTask(id);
    if (known !== undefined) {
      known.devices.load(stored);
      this.#sending.forget(known);
      return known.setTask(task, isAccepted);
    }
    const image = await images.findForTask(task.content.image, task.memberGroup);
    if (image === undefined) throw new Error(`firmware task ${id} has no image`);
    const run = new TaskRun(task, image, {
      writer: this.#writer,
      situationOf: this.#deps.situationOf,
      askVersion: this.#deps.askVersion,
      now: this.#deps.now,
      send: (from, device, signal) => this.#send(from, device, signal),
      onNoted: (from, note, versionBefore) => this.#noted(from, note, versionBefore),
      freePlaces: (wanted) => this.#freePlaces(wanted),
      onFailed: (from, { incarnation }) => this.#deps.onDeviceFailed(from.placeOf(incarnation)),
    });
    run.resume(stored);
    run.setTask(task, isAccepted);
    this.#runs.set(id, run);
  }

  async #round(): Promise<void> {
    if (this.#isClosed) return;
    // While nothing can be written, nothing begins: each try would leave more to be written.
    await this.#write();
    await this.#readChanged();
    await this.#readPlaces();
    const changed = new Set<number>();
    for (const [id, run] of this.#runs) {
      // The task may have been stopped.
      if (this.#unread.has(id)) continue;
      run.setModels(await this.#modelsOf(run));
      this.#workOn(run);
      if (run.takeChanged()) changed.add(run.task.memberGroup);
      if (run.isOver) this.#runs.delete(id);
    }
    await this.#write();
    for (const memberGroup of changed) this.#deps.onChanged(memberGroup);
  }

  /** An error in one task blocks neither the others nor the storing of what was decided. */
  #workOn(run: TaskRun): void {
    try {
      run.work();
    } catch (cause) {
      this.#deps.onFault(faultOf(`firmware task ${run.task.id} could not be worked on`, cause));
    }
  }

  async #readPlaces(): Promise<void> {
    if (!this.#placesAreOld) return;
    this.#placesAreOld = false;
    const groups = new Set([...this.#runs.values()].map(({ task }) => task.memberGroup));
    try {
      for (const memberGroup of groups) {
        const devices = await this.#deps.stores.firmwareReach.devices(memberGroup);
        for (const run of this.#runs.values()) if (run.task.memberGroup === memberGroup) run.setPlaces(devices);
      }
    } catch (error) {
      this.#placesAreOld = true;
      throw error;
    }
  }

  async #modelsOf(run: TaskRun): Promise<ReadonlyMap<string, ModelRecord | undefined>> {
    const models = new Map<string, ModelRecord | undefined>();
    for (const model of run.modelNames) models.set(model, await this.#deps.modelOf(run.task.memberGroup, model));
    return models;
  }

  async #write(): Promise<void> {
    await this.#writer.flush();
    for (const [id, pending] of this.#notes) {
      await this.#deps.stores.firmwareTasks.note(id, pending.expectedVersion, pending.note);
      const now = this.#notes.get(id);
      if (now === pending) this.#notes.delete(id);
      else if (now !== undefined) this.#notes.set(id, { ...now, expectedVersion: pending.note.version });
    }
  }

  #noted({ task }: TaskRun, note: TaskNote, versionBefore: number): void {
    const expectedVersion = this.#notes.get(task.id)?.expectedVersion ?? versionBefore;
    this.#notes.set(task.id, { expectedVersion, note });
    const { state, reason } = note;
    if (note.version !== versionBefore) this.#deps.onTaskMoved({ name: task.content.name, state, reason });
  }

  #send(run: TaskRun, device: StoredFirmwareDevice, signal: AbortSignal): void {
    this.#heard.set(device.id, []);
    const work = this.#sendOne(run, device, signal);
    inBackground('firmware could not be sent', this.#pending.add(work), this.#deps.onFault);
  }

  async #sendOne(run: TaskRun, device: StoredFirmwareDevice, signal: AbortSignal): Promise<void> {
    const { id, attempts } = device;
    try {
      await this.#sending.send(run, device, signal, () => this.#heard.get(id) ?? []);
    } catch (cause) {
      const now = run.devices.find(id);
      if (now?.state === 'sending') {
        // It is not known how far the sending came: that is a failure, unless it never began.
        if (now.attempts > attempts) run.fail(id, { state: 'failed', fault: 'internal' });
        else run.devices.change(id, putBack(run), { atMs: this.#deps.now() });
      }
      throw cause;
    } finally {
      this.#heard.delete(id);
      run.sendEnded(id);
      this.#rounds?.workSoon();
    }
  }

  #freePlaces(wanted: number): number {
    const free = Math.max(0, SENDS_LIMIT.max - this.#heard.size);
    if (wanted > free) this.#deps.onLimit(SENDS_LIMIT);
    return free;
  }

  #handle(report: Report): void {
    const { incarnation } = report.device;
    const sign = signOf(report);
    if (sign === undefined) return;
    for (const run of this.#runs.values()) {
      const device = run.devices.ofIncarnation(incarnation);
      if (device === undefined) continue;
      if (report.kind === 'message' && !isOfPart(report, run)) continue;
      if (device.state === 'sending') this.#remember(device.id, sign);
      else run.hear(incarnation, sign);
      if (sign.kind !== 'offline') this.#rounds?.workSoon();
    }
  }

  #remember(id: number, sign: Sign): void {
    const signs = this.#heard.get(id);
    if (signs === undefined) return;
    signs.push(sign);
    if (signs.length > HEARD) signs.shift();
  }
}

function signOf(report: Report): Sign | undefined {
  switch (report.kind) {
    case 'presence':
      return { kind: report.isOnline ? 'online' : 'offline' };
    case 'attributes': {
      const { model, firmwareVersion } = report.attributes;
      return { kind: 'attributes', model, firmwareVersion };
    }
    case 'message':
      return report.body.kind === 'upgradeResult' ? { kind: 'result', result: report.body.result } : undefined;
    default:
      return undefined;
  }
}

/** Whether the result is for the part of the task: a result for the card reader says nothing about the terminal's own firmware. */
function isOfPart({ body }: Extract<Report, { kind: 'message' }>, { image }: TaskRun): boolean {
  return body.kind === 'upgradeResult' && body.type === FIRMWARE_PART_CODES[image.part];
}
