// The events of one device: one tracker for what happens now, and others, while they are needed, for what is reported late.
import type { OnLimit } from '../../limits/limit.ts';
import { LATE_QUIET_MS } from '../signals/reportTimes.ts';
import type { Observation, Signal } from '../signals/signal.ts';
import { type EventChange, EventTracker, type TrackingContext } from './eventTracker.ts';
import { LateEvents } from './lateEvents.ts';
import { LateQuota } from './lateQuota.ts';
import { isDuring } from './sameEvent.ts';
import { type EventDevice, NOWHERE, type Place, type TrackedEvent } from './trackedEvent.ts';

export class DeviceEvents {
  readonly device: EventDevice;
  /** Place of the last report that came as it happened. */
  place: Place = NOWHERE;
  /** Place of the last report that came late. */
  latePlace: Place = NOWHERE;
  #driver = '';
  #driverSinceMs = Number.NEGATIVE_INFINITY;
  readonly #live: EventTracker;
  #late: LateEvents | undefined;
  readonly #lateQuota: LateQuota;
  #lateUntilMs = 0;
  readonly #onLimit: OnLimit;

  constructor(device: EventDevice, onLimit: OnLimit) {
    this.device = device;
    this.#onLimit = onLimit;
    this.#live = new EventTracker(onLimit);
    this.#lateQuota = new LateQuota(onLimit);
  }

  get events(): TrackedEvent[] {
    return [...this.#live.events, ...(this.#late?.events ?? [])];
  }

  /** `sinceMs`: a time of the device's clock. */
  setDriver(name: string, sinceMs: number): void {
    this.#driver = name;
    this.#driverSinceMs = sinceMs;
  }

  /** The driver; '' for an event that is reported late and happened before the current one was set: who drove then is not known. */
  driverOf({ isLate, atMs }: Observation): string {
    return isLate && atMs < this.#driverSinceMs ? '' : this.#driver;
  }

  resume(events: readonly TrackedEvent[]): void {
    this.#live.resume(events.filter(({ isLate }) => !isLate));
    const late = events.filter(({ isLate }) => isLate);
    if (late.length > 0) this.#lateEvents.resume(late);
  }

  /** `nowMs`: the gateway's clock, whatever the observation's is. */
  observe(observation: Observation, context: TrackingContext, nowMs: number): EventChange[] {
    if (!observation.isLate) return this.#live.observe(observation, context);
    if (this.#late === undefined && observation.signals.length === 0) return [];
    this.#lateUntilMs = nowMs + LATE_QUIET_MS;
    this.#lateQuota.setNow(nowMs);
    const known: EventChange[] = [];
    const signals = observation.signals.filter((signal) => {
      const event = this.#liveOf(signal, observation.atMs);
      if (event !== undefined) known.push({ kind: 'seen', event });
      return event === undefined;
    });
    return [...known, ...this.#lateEvents.observe({ ...observation, signals }, context)];
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

  get #lateEvents(): LateEvents {
    this.#late ??= new LateEvents(this.#onLimit, this.#lateQuota);
    return this.#late;
  }

  /** The live event that a late signal belongs to: an event that was also reported as it happened is no second event. */
  #liveOf(signal: Signal, atMs: number): TrackedEvent | undefined {
    if (signal.form === 'end') return undefined;
    const live = this.#live.find(signal);
    return live !== undefined && isDuring(live, atMs) ? live : undefined;
  }
}
