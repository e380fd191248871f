// How long a connection may take to sign in. Only the terminal's own time counts, so that a slow gateway cuts nobody.
import type { Limit } from '../../limits/limit.ts';

/** Time until a connection has signed in; the time that it waits for the gateway does not count. It is closed. */
export const SIGN_IN_TIMEOUT: Limit = { name: 'terminals.sign-in-ms.connection', max: 60_000 };
/**
 * Time is counted in steps. A step that the busy gateway ended late counts as one, and before the last step it reads what
 * has arrived meanwhile.
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

  /** The terminal waits for the gateway, so the time stops. */
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
