// The events of one device: one tracker for what happens now, another, while there is need, for what is reported late.
import type { OnLimit } from '../../limits/limit.ts';
import type { Observation } from '../signals/signal.ts';
import { type EventChange, EventTracker, type TrackingContext } from './eventTracker.ts';
import { type EventDevice, NOWHERE, type Place, type TrackedEvent } from './trackedEvent.ts';

/** After the last late report: what it left open has ended then. */
const LATE_QUIET_MS = 60_000;
/** A late report of what was also reported as it happened is no second event. */
const SAME_MS = 60_000;

export class DeviceEvents {
  readonly device: EventDevice;
  place: Place = NOWHERE;
  driver = '';
  readonly #live: EventTracker;
  #late: EventTracker | undefined;
  #lateUntilMs = 0;
  readonly #onLimit: OnLimit;

  constructor(device: EventDevice, onLimit: OnLimit) {
    this.device = device;
    this.#onLimit = onLimit;
    this.#live = new EventTracker(onLimit);
  }

  get events(): TrackedEvent[] {
    return [...this.#live.events, ...(this.#late?.events ?? [])];
  }

  resume(events: readonly TrackedEvent[]): void {
    this.#live.resume(events.filter(({ isLate }) => !isLate));
    const late = events.filter(({ isLate }) => isLate);
    if (late.length > 0) this.#lateTracker.resume(late);
  }

  /** `nowMs`: the gateway's clock, whatever the observation's is. */
  observe(observation: Observation, context: TrackingContext, nowMs: number): EventChange[] {
    if (!observation.isLate) return this.#live.observe(observation, context);
    if (this.#late === undefined && observation.signals.length === 0) return [];
    this.#lateUntilMs = nowMs + LATE_QUIET_MS;
    const signals = observation.signals.filter((signal) => !this.#isKnown(signal, observation.atMs));
    return this.#lateTracker.observe({ ...observation, signals }, context);
  }

  /** When to call it again; undefined: not before the next observation. */
  expire(nowMs: number): { readonly changes: EventChange[]; readonly nextMs: number | undefined } {
    const { changes, nextMs } = this.#live.expire(nowMs);
    if (this.#late === undefined) return { changes, nextMs };
    if (nowMs < this.#lateUntilMs) return { changes, nextMs: Math.min(nextMs ?? this.#lateUntilMs, this.#lateUntilMs) };
    const ended = this.#late.endAll();
    this.#late = undefined;
    return { changes: [...changes, ...ended], nextMs };
  }

  /** The device is gone: what lasted has ended. */
  endAll(): EventChange[] {
    return [...this.#live.endAll(), ...(this.#late?.endAll() ?? [])];
  }

  get #lateTracker(): EventTracker {
    this.#late ??= new EventTracker(this.#onLimit);
    return this.#late;
  }

  #isKnown(signal: Observation['signals'][number], atMs: number): boolean {
    if (signal.form === 'end') return false;
    const live = this.#live.find(signal);
    if (live === undefined) return false;
    const lastMs = live.endAtMs === 0 ? live.lastSeenAtMs : live.endAtMs;
    return atMs >= live.beginAtMs - SAME_MS && atMs <= lastMs + SAME_MS;
  }
}
