interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A clock that stands still until it is told to go on; its `after` is what the product takes as a dependency. */
export class ManualTimers {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  readonly now = (): number => this.#nowMs;

  readonly runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Lets time pass; what falls due runs in order, timers set meanwhile included. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.run();
    }
    this.#nowMs = endMs;
  }

  get pending(): number {
    return this.#timers.size;
  }

  #next(endMs: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.dueMs <= endMs);
    return due.sort((left, right) => left.dueMs - right.dueMs)[0];
  }
}
