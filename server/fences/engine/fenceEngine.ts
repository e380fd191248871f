// Runs fences for all devices: gives them positions, wakes those that wait for a time, and passes on their signals.

import type { PositionReport, Report } from '../../device/reportFeed.ts';
import { DueTimes } from '../../events/engine/dueTimes.ts';
import type { EventDevice, TrackedEvent } from '../../events/engine/trackedEvent.ts';
import { type Observation, Origin, type Signal } from '../../events/signals/signal.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { FenceMovement, StoredFenceState } from '../../store/fences/fenceMovements.ts';
import { covers, type DevicePlace } from '../directory/devicePlaces.ts';
import type { FenceSet } from '../directory/fenceSet.ts';
import { DeviceFences } from './deviceFences.ts';
import { fencePointOf } from './fencePoint.ts';
import { fenceSignal } from './fenceSignal.ts';
import { type FenceState, HELD_CODES, newState } from './fenceState.ts';

export interface FenceEngineDeps {
  /** The set in use; replaced as soon as anything in it changes. */
  readonly set: () => FenceSet;
  readonly write: (movement: FenceMovement) => void;
  /** Called with signals that no report of the terminal caused. */
  readonly onObservation: (device: EventDevice, observation: Observation) => void;
  readonly now: () => number;
  /** Lets waiting work have its turn. */
  readonly nextTurn: () => Promise<unknown>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

const TICK_MS = 10_000;
/** Devices that are evaluated before anything else has its turn: some milliseconds, with the most fences that watch who is outside. */
const DEVICES_AT_ONCE = 100;
const NO_SIGNALS: readonly Signal[] = [];

export class FenceEngine {
  readonly #deps: FenceEngineDeps;
  /** Devices by incarnation. */
  readonly #devices = new Map<number, DeviceFences>();
  readonly #due = new DueTimes<DeviceFences>();
  #cancel: (() => void) | undefined;
  #evaluated = 0;
  #isClosed = false;

  constructor(deps: FenceEngineDeps) {
    this.#deps = deps;
  }

  /** Restores the state after a restart: where the devices were, and which events last. Must be called before any report. */
  start(states: readonly StoredFenceState[], events: Iterable<TrackedEvent>): void {
    for (const state of states) this.#resume(state);
    for (const event of events) this.#resumeEvent(event);
    for (const fences of this.#devices.values()) this.#due.schedule(fences, fences.nextTickAtMs);
    this.#tickLater();
  }

  /** Positions evaluated since the start. */
  get evaluatedCount(): number {
    return this.#evaluated;
  }

  get deviceCount(): number {
    return this.#devices.size;
  }

  /** Pairs of device and fence with a remembered state. */
  get stateCount(): number {
    let count = 0;
    for (const fences of this.#devices.values()) count += fences.stateCount;
    return count;
  }

  /** Gives what begins, ends or has happened by a report. */
  evaluate(report: Report): readonly Signal[] {
    if (report.kind !== 'position') return NO_SIGNALS;
    const set = this.#deps.set();
    const fences = this.#fencesIn(set, report.device.incarnation);
    if (fences === undefined) return NO_SIGNALS;
    this.#evaluated++;
    try {
      return this.#evaluate(fences, report, set);
    } catch (cause) {
      return this.#failed(fences, cause);
    }
  }

  /** Undefined where there is nothing to evaluate. */
  #fencesIn(set: FenceSet, incarnation: number): DeviceFences | undefined {
    const known = this.#devices.get(incarnation);
    if (known?.placedBy === set) return known;
    const place = set.placeOf(incarnation);
    if (place === undefined || (set.size === 0 && known === undefined)) return undefined;
    const fences = this.#fencesOf(place);
    fences.placedBy = set;
    return fences;
  }

  /** Called when fences, devices or groups have changed: events of those that are gone end. */
  reloaded(set: FenceSet): void {
    inBackground('devices could not be looked at with other geofences', this.#lookAtAll(set), this.#deps.onFault);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Devices that report meanwhile use the new set at once. */
  async #lookAtAll(set: FenceSet): Promise<void> {
    let looked = 0;
    for (const fences of this.#devices.values()) {
      // If the set has changed again, all devices are evaluated with the newer one.
      if (this.#isClosed || this.#deps.set() !== set) return;
      this.#lookAt(fences, set);
      if (++looked % DEVICES_AT_ONCE === 0) await this.#deps.nextTurn();
    }
  }

  #lookAt(fences: DeviceFences, set: FenceSet): void {
    const place = set.placeOf(fences.device.incarnation);
    if (place === undefined) {
      this.#end(fences);
      return;
    }
    fences.device = place;
    this.#tell(
      fences,
      this.#guarded(fences, () => fences.use(set)),
    );
    this.#due.schedule(fences, fences.nextTickAtMs);
  }

  #evaluate(fences: DeviceFences, { position, details, isLive }: PositionReport, set: FenceSet): readonly Signal[] {
    const point = fencePointOf(position, details, !isLive);
    if (point === undefined) return NO_SIGNALS;
    const signals = fences.evaluate(point, set);
    this.#due.schedule(fences, fences.nextTickAtMs);
    return signals;
  }

  #fencesOf(place: DevicePlace): DeviceFences {
    const known = this.#devices.get(place.incarnation);
    if (known !== undefined) {
      known.device = place;
      return known;
    }
    const { write, onLimit } = this.#deps;
    const fences = new DeviceFences(place, { write, onLimit });
    this.#devices.set(place.incarnation, fences);
    return fences;
  }

  /** The device was disabled or deleted: its events end with it. */
  #end(fences: DeviceFences): void {
    this.#devices.delete(fences.device.incarnation);
    this.#due.forget(fences);
  }

  /** A bug here must not cost the terminal's own alarms. */
  #guarded(fences: DeviceFences, work: () => readonly Signal[]): readonly Signal[] {
    try {
      return work();
    } catch (cause) {
      return this.#failed(fences, cause);
    }
  }

  #failed(fences: DeviceFences, cause: unknown): readonly Signal[] {
    this.#end(fences);
    this.#deps.onFault(new Error(`the fences of ${fences.device.deviceId} failed`, { cause }));
    return NO_SIGNALS;
  }

  #tell({ device }: DeviceFences, signals: readonly Signal[]): void {
    if (signals.length === 0) return;
    const atMs = this.#deps.now();
    this.#deps.onObservation(device, { atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals });
  }

  #tickLater(): void {
    this.#cancel = this.#deps.runAfter(TICK_MS, () => {
      this.#tickLater();
      this.#tickRound();
    });
  }

  #tickRound(): void {
    const { now, set, onObservation } = this.#deps;
    for (const fences of this.#due.takeDue(now())) {
      const late = fences.endLate(now());
      if (late !== undefined) onObservation(fences.device, late);
      this.#tell(
        fences,
        this.#guarded(fences, () => fences.tick(now(), set())),
      );
      if (this.#devices.has(fences.device.incarnation)) this.#due.schedule(fences, fences.nextTickAtMs);
    }
  }

  #resume({ fence: id, incarnation, isInside, sinceMs, deviceSinceMs }: StoredFenceState): void {
    const set = this.#deps.set();
    const [fence, place] = [set.find(id), set.placeOf(incarnation)];
    if (fence === undefined || place === undefined || !covers(fence, place)) {
      // It isn't known what happened to the device while the gateway was down.
      this.#deps.write({ kind: 'forget', fence: id, incarnation });
      if (isInside) this.#deps.write({ kind: 'close', fence: id, incarnation, toMs: this.#deps.now() });
      return;
    }
    this.#take(place, newState(fence, isInside, { atMs: sinceMs, deviceMs: deviceSinceMs }));
  }

  #take(place: DevicePlace, state: FenceState): void {
    const nowMs = this.#deps.now();
    const { atMs, deviceMs } = state.presence.since;
    this.#fencesOf(place).resume(state, { atMs: nowMs, deviceMs: nowMs - (atMs - deviceMs) });
  }

  /** Resumes an event that a fence has raised and that lasts; a late one ends by itself. */
  #resumeEvent({ device, isLate, origins, type, area, beginAtMs, value }: TrackedEvent): void {
    const code = HELD_CODES.find((each) => each === type);
    if (device === undefined || isLate || (origins & Origin.Fence) === 0 || code === undefined) return;
    const state = this.#devices.get(device.incarnation)?.stateOf(area);
    if (state !== undefined) {
      const { atMs, deviceMs } = state.presence.since;
      const since = { atMs: beginAtMs, deviceMs: beginAtMs - (atMs - deviceMs) };
      state.held[code] = { since, isRaised: true, worst: value ?? 0 };
      return;
    }
    const atMs = this.#deps.now();
    const signals = [fenceSignal(code, 'end', area)];
    this.#deps.onObservation(device, { atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals });
  }
}
