// How long a connection has to sign in. Only its own time counts: terminals are not cut because the gateway is slow.
import type { Limit } from '../../limits/limit.ts';

/** Of the terminal's own time, in ms. */
export const SIGN_IN_TIMEOUT: Limit = { name: 'terminals.sign-in-ms.connection', max: 60_000 };
/**
 * Time is taken off in steps: a step that the gateway was too busy to end in time counts once, and between the last two it
 * reads what has come meanwhile.
 */
const STEP_MS = 1_000;

export class SignInDeadline {
  readonly #runAfter: (delayMs: number, run: () => void) => () => void;
  readonly #onExpired: () => void;
  #leftMs = SIGN_IN_TIMEOUT.max;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(runAfter: (delayMs: number, run: () => void) => () => void, onExpired: () => void) {
    this.#runAfter = runAfter;
    this.#onExpired = onExpired;
    this.goOn();
  }

  /** The connection waits for us: its time stands still. */
  hold(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  goOn(): void {
    if (this.#isClosed || this.#cancel !== undefined) return;
    this.#cancel = this.#runAfter(STEP_MS, () => {
      this.#cancel = undefined;
      this.#leftMs -= STEP_MS;
      if (this.#leftMs > 0) this.goOn();
      else this.#onExpired();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.hold();
  }
}
