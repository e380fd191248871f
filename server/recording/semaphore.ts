/** Lets so many jobs run at a time; the others wait in order. A slow disk must not take every thread of the process. */
export class Semaphore {
  readonly #width: number;
  readonly #onWait: (() => void) | undefined;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number, onWait?: () => void) {
    this.#width = width;
    this.#onWait = onWait;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) {
      this.#onWait?.();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next(); // the place is handed on
    }
  }
}
