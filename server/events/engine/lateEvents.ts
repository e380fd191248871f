// The events of one device that are reported late. Terminals send packages of them, sometimes an older one after a newer one, and the
// same one again when the answer was lost.
import type { OnLimit } from '../../limits/limit.ts';
import type { Observation, Signal } from '../signals/signal.ts';
import { type EventChange, EventTracker, type TrackingContext } from './eventTracker.ts';
import type { LateQuota } from './lateQuota.ts';
import { isDuring } from './sameEvent.ts';
import type { TrackedEvent } from './trackedEvent.ts';

/** Maximum of late events that are remembered, to recognize repeats. The writer finds all other repeats in the database. */
const REMEMBERED = 256;

export class LateEvents {
  readonly #onLimit: OnLimit;
  readonly #quota: LateQuota;
  #tracker: EventTracker;
  /** Latest time by the device's clock: a tracker goes forward only. */
  #untilMs = Number.NEGATIVE_INFINITY;
  #begun: TrackedEvent[] = [];

  constructor(onLimit: OnLimit, quota: LateQuota) {
    this.#onLimit = onLimit;
    this.#quota = quota;
    this.#tracker = new EventTracker(onLimit, quota);
  }

  get events(): TrackedEvent[] {
    return this.#tracker.events;
  }

  resume(events: readonly TrackedEvent[]): void {
    this.#tracker.resume(events);
    this.#begun = events.slice(-REMEMBERED);
    // Repeats of what was reported before the start are recognized.
    this.#untilMs = Math.max(...events.map(({ lastSeenAtMs }) => lastSeenAtMs));
  }

  observe(observation: Observation, context: TrackingContext): EventChange[] {
    const isForward = observation.atMs >= this.#untilMs || observation.covered === 0;
    return isForward ? this.#forward(observation, context) : this.#backward(observation, context);
  }

  /** Called when no more late reports come. */
  endAll(): EventChange[] {
    return this.#tracker.endAll();
  }

  #forward(observation: Observation, context: TrackingContext): EventChange[] {
    this.#untilMs = Math.max(this.#untilMs, observation.atMs);
    const changes = this.#tracker.observe(observation, context);
    for (const { kind, event } of changes) if (kind === 'begun') this.#begun.push(event);
    if (this.#begun.length > REMEMBERED) this.#begun = this.#begun.slice(-REMEMBERED);
    return changes;
  }

  /** New events of an older report begin apart from those of later times. */
  #backward(observation: Observation, context: TrackingContext): EventChange[] {
    const known: EventChange[] = [];
    const signals = observation.signals.filter((signal) => {
      if (signal.form === 'end') return false;
      const event = this.#knownOf(signal, observation.atMs);
      if (event !== undefined) known.push({ kind: 'seen', event });
      return event === undefined;
    });
    if (signals.length === 0) return known;
    const ended = this.#tracker.endAll();
    this.#tracker = new EventTracker(this.#onLimit, this.#quota);
    this.#untilMs = observation.atMs;
    return [...known, ...ended, ...this.#forward({ ...observation, signals }, context)];
  }

  #knownOf({ type, unit, area, alarmMark }: Signal, atMs: number): TrackedEvent | undefined {
    return this.#begun.find(
      (event) =>
        event.type === type &&
        event.unit === unit &&
        (event.area === area || area === 0) &&
        (isDuring(event, atMs) || (alarmMark !== undefined && alarmMark === event.alarmMark)),
    );
  }
}
