/** A terminal heard this recently counts as connected. */
const HEARD_RECENTLY_MS = 10_000;
/** Longer than a round trip over a mobile network, shorter than terminals wait for the answer to a registration. */
const ANSWER_TIMEOUT_MS = 8_000;

export interface LivenessProbeDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Sends a question that every terminal answers; false if nothing can be sent. */
  readonly ask: () => boolean;
}

/**
 * Whether a terminal is still at the other end of its connection. The socket of a terminal that lost power or network looks
 * open for minutes. Any incoming message counts as an answer, and concurrent calls share one question.
 */
export class LivenessProbe {
  readonly #deps: LivenessProbeDeps;
  #heardMs: number;
  #probing: Promise<boolean> | undefined;
  #settle: ((isAlive: boolean) => void) | undefined;

  constructor(deps: LivenessProbeDeps) {
    this.#deps = deps;
    this.#heardMs = deps.now();
  }

  heard(): void {
    this.#heardMs = this.#deps.now();
    this.#settle?.(true);
  }

  isAlive(): Promise<boolean> {
    if (this.#deps.now() - this.#heardMs < HEARD_RECENTLY_MS) return Promise.resolve(true);
    if (this.#probing !== undefined) return this.#probing;
    if (!this.#deps.ask()) return Promise.resolve(false);
    this.#probing = this.#answer();
    return this.#probing;
  }

  close(): void {
    this.#settle?.(false);
  }

  #answer(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#deps.runAfter(ANSWER_TIMEOUT_MS, () => this.#settle?.(false));
      this.#settle = (isAlive) => {
        cancel();
        this.#probing = undefined;
        this.#settle = undefined;
        resolve(isAlive);
      };
    });
  }
}
