// Notices that nothing is received any more, unless it is held back.
import type { Hold } from '../hold.ts';

export interface SilenceDeps {
  readonly silenceMs: number;
  readonly hold: Hold;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

export class Silence {
  readonly silent: Promise<'silent'>;
  readonly #deps: SilenceDeps;
  #lastAtMs: number;
  #cancel: () => void = () => undefined;
  #resolve: (value: 'silent') => void = () => undefined;

  constructor(deps: SilenceDeps) {
    this.#deps = deps;
    this.#lastAtMs = deps.now();
    this.silent = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#look(deps.silenceMs);
  }

  /** Called when something has come. */
  noise(): void {
    this.#lastAtMs = this.#deps.now();
  }

  close(): void {
    this.#cancel();
  }

  #look(delayMs: number): void {
    const { silenceMs, hold, now, runAfter } = this.#deps;
    this.#cancel = runAfter(delayMs, () => {
      if (hold.isHeld) this.#lastAtMs = now();
      const leftMs = this.#lastAtMs + silenceMs - now();
      if (leftMs <= 0) this.#resolve('silent');
      else this.#look(leftMs);
    });
  }
}
