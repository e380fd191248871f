// Reports at most once per interval: the first call at once, later ones together at the interval's end.

export interface ThrottleClock {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

export const workerClock: ThrottleClock = {
  now: () => performance.now(),
  runAfter: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export class Throttle {
  readonly #intervalMs: number;
  readonly #report: () => void;
  readonly #clock: ThrottleClock;
  #lastMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(intervalMs: number, report: () => void, clock: ThrottleClock = workerClock) {
    this.#intervalMs = intervalMs;
    this.#report = report;
    this.#clock = clock;
  }

  /** There is something to report. */
  request(): void {
    if (this.#cancel !== undefined) return;
    const waitMs = this.#lastMs + this.#intervalMs - this.#clock.now();
    if (waitMs <= 0) {
      this.#run();
      return;
    }
    this.#cancel = this.#clock.runAfter(waitMs, () => this.#run());
  }

  /** Sends what is not reported yet now, so that the next report comes after it. */
  flush(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#run();
  }

  /** Drops what is not reported yet. Safe to call twice. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #run(): void {
    this.#cancel = undefined;
    this.#lastMs = this.#clock.now();
    this.#report();
  }
}
