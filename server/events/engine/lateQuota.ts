// How many events the late reports of one device may begin. Their times are the terminal's own, so that the limit of each type
// by the hour bounds nothing: a message can spread its positions over months.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { BeginQuota } from './eventTracker.ts';
import type { TrackedEvent } from './trackedEvent.ts';

/**
 * Events that late reports of a device begin in an hour of the gateway's clock. Further alarms are counted in the latest late event of
 * their type; a type without one begins one.
 */
export const LATE_EVENTS_LIMIT: Limit = { name: 'events.late.device', max: 500 };
const HOUR_MS = 60 * 60_000;

export class LateQuota implements BeginQuota {
  readonly #onLimit: OnLimit;
  readonly #latest = new Map<string, TrackedEvent>();
  #hourBeganAtMs = Number.NEGATIVE_INFINITY;
  #begun = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** To be called before late reports are handled. */
  setNow(nowMs: number): void {
    if (Math.abs(nowMs - this.#hourBeganAtMs) < HOUR_MS) return;
    this.#hourBeganAtMs = nowMs;
    this.#begun = 0;
    this.#latest.clear();
  }

  /** A type without late events may begin one: there are few types, and an emergency is never lost. */
  fullAt(type: string): TrackedEvent | undefined {
    if (this.#begun < LATE_EVENTS_LIMIT.max) return undefined;
    this.#onLimit(LATE_EVENTS_LIMIT);
    return this.#latest.get(type);
  }

  noteBegun(event: TrackedEvent): void {
    this.#begun++;
    this.#latest.set(event.type, event);
  }
}
