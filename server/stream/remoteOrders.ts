// How many orders a terminal that plays is given before it has answered. A command on a slow line takes seconds; what is wanted
// meanwhile is soon out of date, and each order keeps the terminal and its line busy.

import type { Limit, OnLimit } from '../limits/limit.ts';

/** A pause, what ends it, and a speed go out at once even when the terminal is slow to answer. */
export const ORDERS_LIMIT: Limit = { name: 'remote-playback.orders.session', max: 4 };

export class RemoteOrders {
  readonly #bringUpToDate: () => Promise<void>;
  readonly #onLimit: OnLimit | undefined;
  #unanswered = 0;
  /** Something was not said: the terminal is brought up to date as soon as it has answered something. */
  #isOutdated = false;

  /** `bringUpToDate` tells the terminal everything that is wanted at that moment. */
  constructor(bringUpToDate: () => Promise<void>, onLimit: OnLimit | undefined) {
    this.#bringUpToDate = bringUpToDate;
    this.#onLimit = onLimit;
  }

  give(order: () => Promise<unknown>): void {
    if (this.#unanswered >= ORDERS_LIMIT.max) {
      if (!this.#isOutdated) this.#onLimit?.(ORDERS_LIMIT);
      this.#isOutdated = true;
      return;
    }
    this.#unanswered++;
    const answered = (): void => {
      this.#unanswered--;
      if (!this.#isOutdated) return;
      this.#isOutdated = false;
      this.give(this.#bringUpToDate);
    };
    void order().then(answered, answered);
  }
}
