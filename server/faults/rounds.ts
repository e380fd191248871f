// Work that is done in the background every so often, in parts with pauses, and left where it is when the gateway ends.
import type { OnFault } from './onFault.ts';

export interface RoundsOptions {
  /** One round. It looks at `isClosed` and pauses between its parts; what it throws is reported, and the next round tries again. */
  readonly work: () => Promise<void>;
  /** What a round that failed is reported as. */
  readonly failure: string;
  readonly intervalMs: number;
  /** Before the first round, and before one that is wanted soon: lets a start finish, and combines several wishes. */
  readonly delayMs: number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
}

export class Rounds {
  readonly #options: RoundsOptions;
  #cancelTimer: (() => void) | undefined;
  /** Ends the pause. */
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isWantedAgain = false;
  #isClosed = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#runIn(options.delayMs);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** There is something to do. */
  workSoon(): void {
    if (this.#running === undefined) this.#runIn(this.#options.delayMs);
    else this.#isWantedAgain = true;
  }

  pause(pauseMs: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.runAfter(pauseMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Waits for the part under way, and for no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#wake?.();
    await this.#running;
  }

  #runIn(delayMs: number): void {
    const { intervalMs, runAfter } = this.#options;
    this.#cancelTimer?.();
    if (this.#isClosed) return;
    this.#cancelTimer = runAfter(delayMs, () => {
      this.#running = this.#round().then(() => {
        this.#running = undefined;
        this.#runIn(this.#isWantedAgain ? this.#options.delayMs : intervalMs);
        this.#isWantedAgain = false;
      });
    });
  }

  async #round(): Promise<void> {
    const { work, failure, onFault } = this.#options;
    try {
      await work();
    } catch (cause) {
      onFault(new Error(failure, { cause }));
    }
  }
}
