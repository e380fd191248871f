// A device and all fences: one course for live reports and, while needed, another one for late reports. A crossing that one of them
// reported within a gap of the other is reported once.
import { GAP_MS } from '../../events/rules/deviceFacts.ts';
import { LATE_QUIET_MS } from '../../events/signals/reportTimes.ts';
import type { Observation, Signal } from '../../events/signals/signal.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { FenceMovement } from '../../store/fences/fenceMovements.ts';
import type { DevicePlace } from '../directory/devicePlaces.ts';
import type { FenceSet } from '../directory/fenceSet.ts';
import { FenceCourse, INSIDE_LIMIT, OUTSIDE_LIMIT } from './fenceCourse.ts';
import type { FenceLog, Visit } from './fenceLog.ts';
import type { FencePoint } from './fencePoint.ts';
import type { FenceState } from './fenceState.ts';
import type { Moment } from './moment.ts';
import { stateMovement, visitOf, wholeVisit } from './movements.ts';

export interface DeviceFencesDeps {
  readonly write: (movement: FenceMovement) => void;
  readonly onLimit: OnLimit;
}

interface Told {
  readonly isInside: boolean;
  /** The crossing was after this and not later than `at`, by the device's clock. */
  readonly fromMs: number;
  readonly at: Moment;
}

const NO_SIGNALS: readonly Signal[] = [];

export class DeviceFences {
  device: DevicePlace;
  /** The set that gave the device its place. */
  placedBy: FenceSet | undefined;
  readonly #deps: DeviceFencesDeps;
  readonly #live = new FenceCourse();
  #late: FenceCourse | undefined;
  #lateUntilMs = Number.NEGATIVE_INFINITY;
  #lateReceivedAtMs = Number.NaN;
  /** The last crossing that late positions showed, by fence. */
  readonly #toldLate = new Map<number, Told>();
  readonly #toldLive = new Map<number, Told>();
  #signals: Signal[] | undefined;
  readonly #liveLog: FenceLog;
  readonly #lateLog: FenceLog;

  constructor(device: DevicePlace, deps: DeviceFencesDeps) {
    this.device = device;
    this.#deps = deps;
    this.#liveLog = this.#createLiveLog();
    this.#lateLog = this.#createLateLog();
  }

  get stateCount(): number {
    return this.#live.stateCount + (this.#late?.stateCount ?? 0);
  }

  /** Time at which a tick is needed, by the gateway's clock; Infinity: none is. `endLate` must be called with each tick too. */
  get nextTickAtMs(): number {
    const liveMs = this.#live.dueAtMs;
    return this.#late === undefined ? liveMs : Math.min(liveMs, this.#lateReceivedAtMs + LATE_QUIET_MS);
  }

  /** The state in the live course. */
  stateOf(fence: number): FenceState | undefined {
    return this.#live.stateOf(fence);
  }

  resume(state: FenceState, now: Moment): void {
    this.#live.resume(state, now);
  }

  evaluate(point: FencePoint, set: FenceSet): readonly Signal[] {
    if (!point.isLate) this.#live.step(point, { set, device: this.device, log: this.#liveLog });
    else if (point.deviceMs > this.#lateUntilMs) {
      this.#lateUntilMs = point.deviceMs;
      this.#lateReceivedAtMs = point.receivedAtMs;
      this.#late ??= new FenceCourse({ isUnknown: true });
      this.#late.step(point, { set, device: this.device, log: this.#lateLog });
    }
    return this.#takeSignals();
  }

  tick(nowMs: number, set: FenceSet): readonly Signal[] {
    this.#live.tick(nowMs, { set, device: this.device, log: this.#liveLog });
    return this.#takeSignals();
  }

  /** Uses these fences from now on. */
  use(set: FenceSet): readonly Signal[] {
    this.#live.use({ set, device: this.device, log: this.#liveLog });
    return this.#takeSignals();
  }

  /** Ends what late positions have left open, once no more of them come. */
  endLate(nowMs: number): Observation | undefined {
    const late = this.#late;
    if (late === undefined || nowMs < this.#lateReceivedAtMs + LATE_QUIET_MS) return undefined;
    this.#late = undefined;
    late.endRules(this.#lateLog);
    for (const state of late.states) this.#keepLateVisit(state);
    const signals = this.#takeSignals();
    if (signals.length === 0) return undefined;
    return { atMs: this.#lateUntilMs, deviceTimeMs: this.#lateUntilMs, isLate: true, covered: 0, signals };
  }

  #takeSignals(): readonly Signal[] {
    const signals = this.#signals ?? NO_SIGNALS;
    this.#signals = undefined;
    return signals;
  }

  #emit = (signal: Signal): void => {
    if (this.#signals === undefined) this.#signals = [signal];
    else this.#signals.push(signal);
  };

  #createLiveLog(): FenceLog {
    const { write, onLimit } = this.#deps;
    return {
      emit: this.#emit,
      entered: (state) => {
        write(stateMovement(state, this.device));
        write({ kind: 'open', ...visitOf(state.fence, this.device, state.presence.since) });
      },
      left: (state, { to }) => {
        write(stateMovement(state, this.device));
        write({ kind: 'close', fence: state.fence.id, incarnation: this.device.incarnation, toMs: to.atMs });
      },
      passed: (fence, visit) => write(wholeVisit(fence, this.device, visit)),
      watchedOutside: (state) => write(stateMovement(state, this.device)),
      dropped: ({ fence, presence }, at) => {
        const { incarnation } = this.device;
        write({ kind: 'forget', fence: fence.id, incarnation });
        if (presence.isInside) write({ kind: 'close', fence: fence.id, incarnation, toMs: at.atMs });
      },
      isNews: (state, before) => this.#isLiveNews(state, before),
      onStatesFull: (isOutside) => onLimit(isOutside ? OUTSIDE_LIMIT : INSIDE_LIMIT),
    };
  }

  #createLateLog(): FenceLog {
    const { write, onLimit } = this.#deps;
    return {
      emit: this.#emit,
      entered: (state) => this.#enteredLate(state),
      left: (state, visit) => this.#leftLate(state, visit),
      passed: (fence, visit) => write(wholeVisit(fence, this.device, this.#byGateway(visit))),
      watchedOutside: () => undefined,
      dropped: () => undefined,
      isNews: (state) => this.#isLateNews(state),
      onStatesFull: (isOutside) => onLimit(isOutside ? OUTSIDE_LIMIT : INSIDE_LIMIT),
    };
  }

  /** A crossing that late positions have already reported is not reported again; it gets their time. */
  #isLiveNews(state: FenceState, before: Moment | undefined): boolean {
    const { isInside, since } = state.presence;
    const fromMs = before?.deviceMs ?? Number.NEGATIVE_INFINITY;
    if (since.deviceMs - fromMs < GAP_MS) return true;
    remember(this.#toldLive, state.fence.id, { isInside, fromMs, at: since });
    const told = this.#toldLate.get(state.fence.id);
    const isTold = told?.isInside === isInside && told.at.deviceMs > fromMs && told.at.deviceMs <= since.deviceMs;
    if (told === undefined || !isTold) return true;
    state.presence = { isInside, since: this.#onGateway(told.at), pending: undefined };
    return false;
  }

  #isLateNews({ fence, presence: { isInside, since } }: FenceState): boolean {
    remember(this.#toldLate, fence.id, { isInside, fromMs: since.deviceMs, at: since });
    const told = this.#toldLive.get(fence.id);
    return !(told?.isInside === isInside && since.deviceMs > told.fromMs && since.deviceMs <= told.at.deviceMs);
  }

  /** The device is still inside: its visit began then, and not at the first report after the gap. */
  #enteredLate(state: FenceState): void {
    const live = this.#live.stateOf(state.fence.id);
    const { since } = state.presence;
    if (state.isCarried || live?.presence.isInside !== true || live.presence.since.deviceMs <= since.deviceMs) return;
    const before = this.#toldLive.get(state.fence.id);
    // The device may have entered and left again before the live report of its entry.
    if (before === undefined || since.deviceMs <= before.fromMs) return;
    state.isCarried = true;
    live.presence = { ...live.presence, since: this.#onGateway(since) };
    this.#deps.write(stateMovement(live, this.device));
    const { incarnation } = this.device;
    this.#deps.write({ kind: 'began', fence: state.fence.id, incarnation, fromMs: live.presence.since.atMs });
  }

  #leftLate(state: FenceState, visit: Visit): void {
    const whole = this.#byGateway(visit);
    const movement = wholeVisit(state.fence, this.device, whole);
    if (movement.kind !== 'visit' || !state.isCarried) this.#deps.write(movement);
    else {
      state.isCarried = false;
      this.#deps.write({ ...movement, kind: 'ended' });
      this.#splitLive(state, visit.to);
    }
  }

  /** The live visit ended during the gap, as late positions show: the current one is another visit. */
  #splitLive({ fence }: FenceState, leftAt: Moment): void {
    const live = this.#live.stateOf(fence.id);
    const { fix } = this.#live;
    if (live?.presence.isInside !== true || live.presence.since.deviceMs >= leftAt.deviceMs) return;
    const { incarnation } = this.device;
    if (fix === undefined || fix.deviceMs <= leftAt.deviceMs) {
      this.#live.leaveUntold(fence.id);
      this.#deps.write({ kind: 'forget', fence: fence.id, incarnation });
      return;
    }
    remember(this.#toldLive, fence.id, { isInside: true, fromMs: leftAt.deviceMs, at: fix });
    live.presence = { ...live.presence, since: { atMs: fix.atMs, deviceMs: fix.deviceMs } };
    this.#deps.write(stateMovement(live, this.device));
    this.#deps.write({ kind: 'open', ...visitOf(fence, this.device, fix) });
  }

  /** Writes the visit of late positions that end inside a fence in which the device has not been since. */
  #keepLateVisit(state: FenceState): void {
    if (!state.presence.isInside || state.isCarried) return;
    const to = { atMs: this.#lateUntilMs, deviceMs: this.#lateUntilMs };
    this.#deps.write(wholeVisit(state.fence, this.device, this.#byGateway({ from: state.presence.since, to })));
  }

  #byGateway({ from, to }: Visit): Visit {
    return { from: this.#onGateway(from), to: this.#onGateway(to) };
  }

  /** Late moments have the device's clock; the difference to the gateway's is that of the last live report. */
  #onGateway({ deviceMs }: Moment): Moment {
    const heard = this.#live.heard;
    const offsetMs = heard === undefined ? 0 : heard.atMs - heard.deviceMs;
    return { atMs: deviceMs + offsetMs, deviceMs };
  }
}

/** Keeps as many fences as a device may be in; the oldest is forgotten. */
function remember(told: Map<number, Told>, fence: number, what: Told): void {
  told.delete(fence);
  told.set(fence, what);
  const oldest = told.keys().next();
  if (told.size > INSIDE_LIMIT.max && oldest.done !== true) told.delete(oldest.value);
}
