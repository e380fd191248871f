import type { Limit, OnLimit } from './limit.ts';

/** Counts what is open for each key, such as the sockets of an address, up to a limit. Holds no key without something open. */
export class KeyedCount {
  readonly #limit: Limit;
  readonly #onLimit: OnLimit;
  readonly #open = new Map<string, number>();

  constructor(limit: Limit, onLimit: OnLimit) {
    this.#limit = limit;
    this.#onLimit = onLimit;
  }

  /** Takes one place; the result gives it back, and may be called twice. Undefined when all places of the key are taken. */
  enter(key: string): (() => void) | undefined {
    const open = this.#open.get(key) ?? 0;
    if (open >= this.#limit.max) {
      this.#onLimit(this.#limit);
      return undefined;
    }
    this.#open.set(key, open + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#leave(key);
    };
  }

  count(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  #leave(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}
