/**
 * Shares the thread that relays media among works that would hold it too long: one step of one work in each turn of the event
 * loop, first come, first served. Each caller waits for one turn at a time, so the queue is as long as there are callers.
 */
export class Turns {
  readonly #runLater: (run: () => void) => unknown;
  readonly #waiting: (() => void)[] = [];

  /** `runLater`: behind the input and output that is due, as setImmediate. */
  constructor(runLater: (run: () => void) => unknown) {
    this.#runLater = runLater;
  }

  readonly next = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#runLater(this.#step);
    });

  readonly #step = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#runLater(this.#step);
  };
}
