// Work on the database that must be done sooner or later: repeated with growing delays while the database is away.
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { createBackoff } from '../backoff.ts';

export interface DatabaseRetryDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly onFault: OnFault;
}

/** Undefined when it was given up: nobody knows then whether the database has done it. */
export type Retried<Value> = { readonly value: Value } | undefined;

/** Thousands of queues find out together that the database is away: one of them says so, at most this often. */
const FAULT_INTERVAL_MS = 5_000;

export class DatabaseRetry {
  readonly #deps: DatabaseRetryDeps;
  /** End the waits under way. */
  readonly #wakes = new Set<() => void>();
  #lastFaultMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(deps: DatabaseRetryDeps) {
    this.#deps = deps;
  }

  /** `work` may run more than once, so it must not matter whether an attempt that failed was done after all. */
  async run<Value>(
    what: string,
    work: () => Promise<Value>,
    untilMs = Number.POSITIVE_INFINITY,
  ): Promise<Retried<Value>> {
    const backoff = createBackoff(this.#deps.random);
    for (;;) {
      try {
        return { value: await work() };
      } catch (cause) {
        this.#report(what, cause);
      }
      const delayMs = backoff.nextMs();
      if (this.#isClosed || this.#deps.now() + delayMs >= untilMs) return undefined;
      await this.#wait(delayMs);
    }
  }

  /** What waits is tried once more, and so is what begins later. */
  close(): void {
    this.#isClosed = true;
    for (const wake of this.#wakes) wake();
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const cancel = this.#deps.runAfter(delayMs, wake);
      this.#wakes.add(wake);
    });
  }

  #report(what: string, cause: unknown): void {
    const nowMs = this.#deps.now();
    // A clock that was set back must not silence it.
    if (Math.abs(nowMs - this.#lastFaultMs) < FAULT_INTERVAL_MS) return;
    this.#lastFaultMs = nowMs;
    this.#deps.onFault(faultOf(what, cause));
  }
}
