// Tells at once after a quiet time, and then at most once a second.

export interface PaceDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly tell: () => void;
}

export const PACE_MS = 1_000;

export class Pace {
  readonly #deps: PaceDeps;
  #lastMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(deps: PaceDeps) {
    this.#deps = deps;
  }

  /** There is something to tell. */
  soon(): void {
    if (this.#cancel !== undefined) return;
    // At once means with the next turn, which takes in what is said together.
    const waitMs = Math.max(0, this.#lastMs + PACE_MS - this.#deps.now());
    this.#cancel = this.#deps.runAfter(waitMs, () => {
      this.#cancel = undefined;
      this.#lastMs = this.#deps.now();
      this.#deps.tell();
    });
  }

  close(): void {
    this.#cancel?.();
    // Stands for a turn that never comes.
    this.#cancel = () => undefined;
  }
}
