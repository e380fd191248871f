// Looks again and again until something is there, and no longer than the demo lasts.
import type { After } from '../../server/faults/timers.ts';

const LOOK_EVERY_MS = 3_000;
const MAX_LOOKS = 60;

/** Owns its timer until `stop`. */
export class Looks {
  readonly #runAfter: After;
  #isStopped = false;
  #wake: (() => void) | undefined;

  constructor(runAfter: After) {
    this.#runAfter = runAfter;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
  }

  /** False when it has not come in minutes, or the demo has ended. */
  async until(isThere: () => Promise<boolean>): Promise<boolean> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      if (!(await this.#sleep())) return false;
      if (await isThere()) return !this.#isStopped;
    }
    return false;
  }

  async #sleep(): Promise<boolean> {
    if (this.#isStopped) return false;
    await new Promise<void>((resolve) => {
      const cancel = this.#runAfter(LOOK_EVERY_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    return !this.#isStopped;
  }
}
