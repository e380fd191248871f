// A task that runs, is paused, or has devices whose terminals have its image: the decisions for its devices.
import type { FirmwareFault, FirmwareTaskReason } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { StoredFirmwareDevice } from '../../store/firmware/firmwareDeviceRows.ts';
import type { ReachedDevice } from '../../store/firmware/firmwareReach.ts';
import type { StoredFirmwareTask } from '../../store/firmware/firmwareTaskRows.ts';
import type { TaskNote } from '../../store/firmware/firmwareTasks.ts';
import { unheardArrival } from '../rules/arrival.ts';
import { type BeginningDevice, beginningsOf } from '../rules/beginnings.ts';
import { type DeviceSituation, isInWindow, isPastDates, waitOf } from '../rules/conditions.ts';
import { courseOf, hasEnded } from '../rules/course.ts';
import { afterFailure } from '../rules/retries.ts';
import {
  isAskedAgain,
  missedSigns,
  type Sign,
  VERSION_WITHIN_MS,
  type VerifiedState,
  verdictOf,
} from '../rules/verification.ts';
import type { ChangeWriter } from './changeWriter.ts';
import { TaskDevices } from './taskDevices.ts';
import type { ModelRecord, TaskImage } from './taskImage.ts';

export interface TaskRunDeps {
  readonly writer: ChangeWriter;
  readonly situationOf: (device: ReachedDevice, imageBytes: number) => Omit<DeviceSituation, 'isInWindow'>;
  /** Asks for the version; the answer is taken like every other report. */
  readonly askVersion: (device: ReachedDevice) => void;
  readonly now: () => number;
  /** Begins to send; `sendEnded` reports the end. */
  readonly send: (run: TaskRun, device: StoredFirmwareDevice, signal: AbortSignal) => void;
  readonly onNoted: (run: TaskRun, note: TaskNote, versionBefore: number) => void;
  /** How many of the wanted devices may be sent to, considering those of other tasks. */
  readonly freePlaces: (wanted: number) => number;
  readonly onFailed: (run: TaskRun, device: StoredFirmwareDevice) => void;
}

/** Time that the gateway's own stop may have cost terminals that were about to sign in again. */
const RECONNECT_MS = 5 * 60_000;
const VERIFIED: ReadonlySet<string> = new Set(['sent', 'rebooting', 'verifying'] satisfies VerifiedState[]);

export class TaskRun {
  readonly image: TaskImage;
  readonly devices: TaskDevices;
  readonly #deps: TaskRunDeps;
  readonly #sending = new Map<number, AbortController>();
  /** Versions that terminals with the image have reported since, by the device's row. */
  readonly #saidVersions = new Map<number, string>();
  readonly #askedAtMs = new Map<number, number>();
  #task: StoredFirmwareTask;
  /** Devices that the member group has now, by incarnation. */
  #places: ReadonlyMap<number, ReachedDevice> = new Map();
  /** The last places of its devices, which the member group may no longer have. */
  readonly #lastPlaces = new Map<number, ReachedDevice>();
  #models: ReadonlyMap<string, ModelRecord | undefined> = new Map();
  /** The failed stage that a member has resumed. */
  #acceptedStage = -1;
  #isChanged = true;

  constructor(task: StoredFirmwareTask, image: TaskImage, deps: TaskRunDeps) {
    this.#task = task;
    this.image = image;
    this.#deps = deps;
    this.devices = new TaskDevices(deps.writer);
  }

  get task(): StoredFirmwareTask {
    return this.#task;
  }

  /** Nothing is left to do unless a member starts the task again. */
  get isOver(): boolean {
    if (this.#task.state === 'running' || this.#task.state === 'paused') return false;
    return this.#sending.size === 0 && this.devices.list.every(({ state }) => hasEnded(state));
  }

  /** Loads the devices after a restart. If the last run of the gateway ended during sending, that was not an attempt of the terminal's. */
  resume(stored: readonly StoredFirmwareDevice[]): void {
    this.devices.load(stored);
    const atMs = this.#deps.now();
    for (const { id, state, attempts, deadlineMs, sentBytes, fault } of stored) {
      const unheard = unheardArrival({ sentBytes }, this.image.bytes, 'aborted');
      if (state === 'sending' && unheard !== '') {
        const sent = { state: 'sent', fault: unheard, deadlineMs: atMs + VERSION_WITHIN_MS } as const;
        this.devices.change(id, sent, { atMs, detail: 'restart' });
      } else if (state === 'sending') {
        this.devices.change(id, { state: 'queued', attempts: Math.max(0, attempts - 1) }, { atMs, detail: 'restart' });
      } else if (VERIFIED.has(state) && deadlineMs < atMs + RECONNECT_MS) {
        this.devices.change(id, { state, fault, deadlineMs: atMs + RECONNECT_MS }, { atMs, detail: 'restart' });
      }
    }
  }

  /** Whether anything has changed since the last call. */
  takeChanged(): boolean {
    const isChanged = this.devices.takeChanged() || this.#isChanged;
    this.#isChanged = false;
    return isChanged;
  }

  setPlaces(devices: readonly ReachedDevice[]): void {
    this.#places = new Map(devices.map((device) => [device.incarnation, device]));
    for (const [incarnation, place] of this.#places) {
      if (this.devices.ofIncarnation(incarnation) !== undefined) this.#lastPlaces.set(incarnation, place);
    }
  }

  setModels(models: ReadonlyMap<string, ModelRecord | undefined>): void {
    this.#models = models;
  }

  /** Models of the devices that have not ended. */
  get modelNames(): ReadonlySet<string> {
    return new Set(this.devices.list.filter(({ state }) => !hasEnded(state)).map(({ model }) => model));
  }

  placeOf(incarnation: number): ReachedDevice | undefined {
    return this.#places.get(incarnation);
  }

  /** Takes the task as a call has changed it. `isAccepted`: it goes on with its next stage although the last one has failed. */
  setTask(task: StoredFirmwareTask, isAccepted: boolean): void {
    this.#task = task;
    this.#isChanged = true;
    if (isAccepted) this.#acceptedStage = task.stage;
    if (task.state !== 'running') this.#abortAll();
    if (task.state === 'stopped') this.#cancelRest();
  }

  /** Does what is due now. */
  work(): void {
    this.#verifyDue();
    this.#skipRemoved();
    if (this.#task.state !== 'running') return;
    const zones = this.#readZones();
    if (this.#followCourse(zones)) this.#beginSome(zones);
    for (const id of this.#sending.keys()) this.devices.writeProgress(id);
  }

  /** Handles a sign of a device whose terminal has the image. */
  hear(incarnation: number, sign: Sign): void {
    const device = this.devices.ofIncarnation(incarnation);
    if (device === undefined || !isVerified(device)) return;
    const atMs = this.#deps.now();
    const verdict = verdictOf(device, this.image, sign, atMs);
    const versionAfter = sign.kind === 'attributes' ? sign.firmwareVersion : device.versionAfter;
    switch (verdict.kind) {
      case 'stay':
        if (sign.kind === 'attributes') this.#noteVersion(device.id, sign.firmwareVersion);
        return;
      case 'reported': {
        const { state, deadlineMs } = device;
        if (device.fault === '') this.devices.note(device.id, { atMs, detail: '0x0108 0' });
        else this.devices.change(device.id, { state, deadlineMs }, { atMs, detail: '0x0108 0' });
        return;
      }
      case 'move': {
        const { state, deadlineMs } = verdict;
        this.devices.change(device.id, { state, deadlineMs, fault: device.fault }, { atMs });
        return;
      }
      case 'done':
        this.devices.change(device.id, { state: 'done', versionAfter }, { atMs, detail: versionAfter });
        return;
      case 'failed':
        if (sign.kind === 'time' && device.fault !== '') this.#sendAgain(device, verdict.fault);
        else this.#failAfter(device, sign, verdict.fault);
    }
  }

  #noteVersion(id: number, version: string): void {
    if (this.#saidVersions.get(id) === version) return;
    this.#saidVersions.set(id, version);
    this.devices.note(id, { atMs: this.#deps.now(), detail: version });
  }

  /** If the terminal is connected with another version than it should have, that version is known, unless it has reported nothing since. */
  #failAfter({ id, versionAfter: before }: StoredFirmwareDevice, sign: Sign, fault: FirmwareFault): void {
    const said = sign.kind === 'attributes' ? sign.firmwareVersion : this.#saidVersions.get(id);
    const isKnown = sign.kind === 'attributes' || fault === 'same-version';
    this.fail(id, { state: 'failed', fault, versionAfter: isKnown ? (said ?? '') : before }, detailOf(sign));
  }

  /** Sends the image again where its arrival was not confirmed, and by now it's clear that the terminal doesn't have it. */
  #sendAgain({ id, attempts, fault }: StoredFirmwareDevice, overdue: FirmwareFault): void {
    const atMs = this.#deps.now();
    const after = afterFailure({ fault, isPassing: true, attempts }, atMs);
    this.#saidVersions.delete(id);
    if (after.kind === 'end') this.fail(id, { state: 'failed', fault: overdue });
    else if (this.#task.state === 'stopped') this.devices.change(id, { state: 'canceled', fault }, { atMs });
    else this.devices.change(id, { state: 'waiting', wait: 'retry', fault, deadlineMs: after.atMs }, { atMs });
  }

  fail(
    id: number,
    change: Pick<StoredFirmwareDevice, 'fault'> & {
      readonly state: 'failed' | 'refused';
      readonly versionAfter?: string;
    },
    detail = '',
  ): void {
    this.devices.change(id, change, { atMs: this.#deps.now(), detail });
    const device = this.devices.find(id);
    if (device !== undefined) this.#deps.onFailed(this, device);
  }

  sendEnded(id: number): void {
    this.#sending.delete(id);
  }

  stop(reason: FirmwareTaskReason): void {
    if (this.#task.state !== 'running') return;
    this.#noteTask({ state: 'stopped', reason, endedAtMs: this.#deps.now() });
    this.#abortAll();
    this.#cancelRest();
  }

  /** The gateway is stopping: what is being sent begins again with its next run. */
  close(): void {
    this.#abortAll();
  }

  #abortAll(): void {
    for (const controller of this.#sending.values()) controller.abort();
  }

  #cancelRest(): void {
    const atMs = this.#deps.now();
    for (const { id, state } of this.devices.list) {
      if (state === 'queued' || state === 'waiting') this.devices.change(id, { state: 'canceled' }, { atMs });
    }
  }

  #verifyDue(): void {
    const nowMs = this.#deps.now();
    for (const device of this.devices.list) {
      if (!isVerified(device)) continue;
      const { incarnation, deadlineMs } = device;
      const place = this.#lastPlaces.get(incarnation);
      const situation = place && this.#deps.situationOf(place, this.image.bytes);
      if (place !== undefined && situation !== undefined) {
        for (const sign of missedSigns(device, this.image, situation)) this.hear(incarnation, sign);
        if (situation.isOnline) this.#askAgain(device, place);
      }
      if (nowMs >= deadlineMs) this.hear(incarnation, { kind: 'time', isOnline: situation?.isOnline === true });
    }
  }

  #askAgain(device: StoredFirmwareDevice & { readonly state: VerifiedState }, place: ReachedDevice): void {
    const nowMs = this.#deps.now();
    const askedAtMs = this.#askedAtMs.get(device.id);
    // It is asked automatically after its sign-in.
    if (askedAtMs === undefined || device.state !== 'verifying') this.#askedAtMs.set(device.id, nowMs);
    else if (isAskedAgain(device, this.image, askedAtMs, nowMs)) {
      this.#askedAtMs.set(device.id, nowMs);
      this.#deps.askVersion(place);
    }
  }

  /**
   * Skips devices that left the member group, were disabled or deleted. A terminal that has the image may be installing it, so no task may
   * take its device.
   */
  #skipRemoved(): void {
    for (const device of this.devices.list) {
      const { id, incarnation, state } = device;
      if (hasEnded(state) || isVerified(device) || this.#places.has(incarnation)) continue;
      if (state === 'sending') this.#sending.get(id)?.abort();
      else this.devices.change(id, { state: 'skipped', fault: 'removed' }, { atMs: this.#deps.now() });
    }
  }

  /** The wall clock is read once per zone: reading takes long, and devices are in a few zones. */
  #readZones(): ReadonlyMap<string, ZoneNow> {
    const nowMs = this.#deps.now();
    const zones = new Map<string, ZoneNow>();
    for (const { timeZone } of this.#places.values()) {
      if (zones.has(timeZone)) continue;
      const isPast = isPastDates(this.#task.content, timeZone, nowMs);
      zones.set(timeZone, { isInWindow: isInWindow(this.#task.content, timeZone, nowMs), isPast });
    }
    return zones;
  }

  #zoneOf(device: StoredFirmwareDevice, zones: ReadonlyMap<string, ZoneNow>): ZoneNow {
    const place = this.#places.get(device.incarnation);
    return (place && zones.get(place.timeZone)) ?? { isInWindow: false, isPast: false };
  }

  /** Acts on the task's course, and gives whether devices may begin. */
  #followCourse(zones: ReadonlyMap<string, ZoneNow>): boolean {
    const { stage, nextStageAtMs, content } = this.#task;
    const all = this.devices.list;
    const unbegun = all.filter(({ state }) => state === 'queued' || state === 'waiting' || state === 'sending');
    const isPast = unbegun.length > 0 && unbegun.every((device) => this.#zoneOf(device, zones).isPast);
    const isAccepted = this.#acceptedStage === stage || nextStageAtMs > 0;
    const nowMs = this.#deps.now();
    const course = courseOf(all, { stage, nextStageAtMs, isPastDates: isPast, isAccepted }, content, nowMs);
    switch (course.kind) {
      case 'go':
        return true;
      case 'wait':
        if (course.nextStageAtMs !== nextStageAtMs) this.#noteTask({ nextStageAtMs: course.nextStageAtMs });
        return false;
      case 'next':
        this.#noteTask({ stage: course.stage, nextStageAtMs: 0 });
        return true;
      case 'pause':
        this.#noteTask({ state: 'paused', reason: course.reason });
        return false;
      case 'stop':
        this.stop(course.reason);
        return false;
      case 'done':
        this.#noteTask({ state: 'done', endedAtMs: nowMs });
        return false;
    }
  }

  #noteTask(change: Partial<TaskNote>): void {
    const { state, reason, stage, nextStageAtMs, endedAtMs } = this.#task;
    const before = this.#task.version;
    // Calls are checked against the state; another stage is no reason to refuse a stop.
    const version = change.state === undefined || change.state === state ? before : before + 1;
    const note: TaskNote = { version, state, reason, stage, nextStageAtMs, endedAtMs, ...change };
    this.#task = { ...this.#task, ...note };
    this.#isChanged = true;
    this.#deps.onNoted(this, note, before);
  }

  #beginSome(zones: ReadonlyMap<string, ZoneNow>): void {
    const { stage, content } = this.#task;
    const ready = new Set<number>();
    for (const device of this.devices.list) {
      const { isInWindow: isOpen } = this.#zoneOf(device, zones);
      if (device.state === 'sending' && !(isOpen && this.#mayTransfer(device))) this.#sending.get(device.id)?.abort();
      if (device.stage <= stage && this.#isReady(device, isOpen)) ready.add(device.id);
    }
    const devices = this.devices.list.map((device) => this.#beginning(device, ready.has(device.id)));
    const own = content.concurrency - this.#sending.size;
    const places = Math.min(own, this.#deps.freePlaces(Math.min(own, ready.size)));
    const { begin, turn } = beginningsOf(devices, { stage, places });
    for (const id of turn) this.#waitFor(id, 'turn');
    for (const id of begin) this.#begin(id);
  }

  #beginning({ id, stage, state, model, attempts }: StoredFirmwareDevice, isReady: boolean): BeginningDevice {
    return { id, stage, state, model, attempts, isModelKnown: this.#models.get(model) !== undefined, isReady };
  }

  /** A plan may be used up by the image itself, or by other traffic of the device meanwhile. */
  #mayTransfer({ incarnation }: StoredFirmwareDevice): boolean {
    const place = this.#places.get(incarnation);
    return place === undefined || this.#deps.situationOf(place, this.image.bytes).mayTransfer;
  }

  /** Whether the device may begin; otherwise notes what it waits for. */
  #isReady(device: StoredFirmwareDevice, isOpen: boolean): boolean {
    if (device.state !== 'queued' && device.state !== 'waiting') return false;
    const nowMs = this.#deps.now();
    if (device.wait === 'retry' && nowMs < device.deadlineMs) return false;
    const place = this.#places.get(device.incarnation);
    if (place === undefined) return false;
    const situation = { ...this.#deps.situationOf(place, this.image.bytes), isInWindow: isOpen };
    const wait = waitOf(this.#task.content, situation, nowMs);
    if (wait !== '') this.#waitFor(device.id, wait);
    return wait === '';
  }

  #waitFor(id: number, wait: StoredFirmwareDevice['wait']): void {
    const device = this.devices.find(id);
    if (device === undefined || (device.state === 'waiting' && device.wait === wait)) return;
    this.devices.change(id, { state: 'waiting', wait }, { atMs: this.#deps.now() });
  }

  #begin(id: number): void {
    const controller = new AbortController();
    this.#sending.set(id, controller);
    this.devices.reserve(id);
    const device = this.devices.find(id);
    if (device !== undefined) this.#deps.send(this, device, controller.signal);
  }
}

interface ZoneNow {
  readonly isInWindow: boolean;
  readonly isPast: boolean;
}

function isVerified(device: StoredFirmwareDevice): device is StoredFirmwareDevice & { readonly state: VerifiedState } {
  return VERIFIED.has(device.state);
}

function detailOf(sign: Sign): string {
  if (sign.kind === 'result') return `0x0108 ${sign.result}`;
  return sign.kind === 'attributes' ? `${sign.model} ${sign.firmwareVersion}` : '';
}
