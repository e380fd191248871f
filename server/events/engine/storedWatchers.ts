// Waits for events to be stored. Waiters are found by event, since thousands of both wait while the database is away.
import type { TrackedEvent } from './trackedEvent.ts';

interface Watcher {
  /** Number in the order in which they began to wait. */
  readonly number: number;
  readonly pending: Set<TrackedEvent>;
  readonly resolve: () => void;
}

export class StoredWatchers {
  readonly #byEvent = new Map<TrackedEvent, Watcher[]>();
  #nextNumber = 0;

  /** Number that the next waiter gets. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /** Settles once each of the events was passed to `tell`. */
  wait(events: readonly TrackedEvent[]): Promise<void> {
    if (events.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const watcher = { number: this.#nextNumber++, pending: new Set(events), resolve };
      for (const event of watcher.pending) {
        const others = this.#byEvent.get(event);
        if (others === undefined) this.#byEvent.set(event, [watcher]);
        else others.push(watcher);
      }
    });
  }

  /** Informs the waiters with a lower number. */
  tell(events: readonly TrackedEvent[], below = Number.POSITIVE_INFINITY): void {
    for (const event of events) {
      const watchers = this.#byEvent.get(event);
      if (watchers === undefined) continue;
      const later = watchers.filter(({ number }) => number >= below);
      if (later.length === 0) this.#byEvent.delete(event);
      else this.#byEvent.set(event, later);
      for (const watcher of watchers) if (watcher.number < below) settle(watcher, event);
    }
  }
}

function settle({ pending, resolve }: Watcher, event: TrackedEvent): void {
  pending.delete(event);
  if (pending.size === 0) resolve();
}
