/** Something with buffered data to write. */
export interface Flushable {
  flush(): void;
}

/** One timer for all viewers with buffered packets, because thousands of timers would load the relaying thread. */
export class FlushTimer {
  readonly #runAfter: (delayMs: number, run: () => void) => () => void;
  readonly #delayMs: number;
  #waiting: Set<Flushable> = new Set();

  constructor(runAfter: (delayMs: number, run: () => void) => () => void, delayMs: number) {
    this.#runAfter = runAfter;
    this.#delayMs = delayMs;
  }

  add(flushable: Flushable): void {
    if (this.#waiting.size === 0) this.#runAfter(this.#delayMs, () => this.#run());
    this.#waiting.add(flushable);
  }

  remove(flushable: Flushable): void {
    this.#waiting.delete(flushable);
  }

  #run(): void {
    const due = this.#waiting;
    this.#waiting = new Set();
    for (const flushable of due) flushable.flush();
  }
}
