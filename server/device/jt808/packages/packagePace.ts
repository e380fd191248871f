// The rate at which the packages of all long messages together are sent: making them takes time on the thread that relays media.

const TURN_MS = 2;
/** 4 MB a second in all. Short turns: media wait for the end of one, and the same rate in turns of 5 ms delays them twice as much. */
const PACKAGES_A_TURN = 8;

export class PackagePace {
  readonly #runAfter: (delayMs: number, run: () => void) => () => void;
  /** The longest waiting comes first. */
  readonly #waiting = new Set<() => void>();
  #left = PACKAGES_A_TURN;
  #isTurning = false;

  constructor(runAfter: (delayMs: number, run: () => void) => () => void) {
    this.#runAfter = runAfter;
  }

  /**
   * Undefined: a package may be sent now, and is counted. Otherwise calls `run` once another try is worth it, and gives a function
   * that cancels this.
   */
  take(run: () => void): (() => void) | undefined {
    if (this.#left > 0) {
      this.#left--;
      this.#turn();
      return undefined;
    }
    this.#waiting.add(run);
    return () => this.#waiting.delete(run);
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#runAfter(TURN_MS, () => {
      this.#isTurning = false;
      this.#left = PACKAGES_A_TURN;
      // Callers that want more queue up behind the others.
      for (const run of [...this.#waiting]) {
        if (this.#left <= 0) return;
        this.#waiting.delete(run);
        run();
      }
    });
  }
}
