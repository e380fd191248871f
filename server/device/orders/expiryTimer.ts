/** Together, not one by one: each look goes over all orders. */
const MIN_DELAY_MS = 1_000;
/** Timers take no more than 24 days, and a clock that is set forward is noticed. */
const MAX_DELAY_MS = 60 * 60_000;

export interface ExpiryTimerDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Ends what has expired by then, and gives when the next expires; Infinity for nothing. */
  readonly expire: (nowMs: number) => number;
}

/** Runs when the first of many times has come. */
export class ExpiryTimer {
  readonly #deps: ExpiryTimerDeps;
  #nextMs = Number.POSITIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: ExpiryTimerDeps) {
    this.#deps = deps;
  }

  /** Something expires at this time. */
  schedule(expiresAtMs: number): void {
    if (this.#isClosed || expiresAtMs >= this.#nextMs) return;
    this.#cancel?.();
    this.#nextMs = expiresAtMs;
    const delayMs = Math.max(expiresAtMs - this.#deps.now(), MIN_DELAY_MS);
    this.#cancel = this.#deps.runAfter(Math.min(delayMs, MAX_DELAY_MS), () => {
      this.#nextMs = Number.POSITIVE_INFINITY;
      this.schedule(this.#deps.expire(this.#deps.now()));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }
}
