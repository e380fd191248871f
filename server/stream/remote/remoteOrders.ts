// How many orders a terminal that plays is given before it has answered. A command on a slow line takes seconds; what is wanted
// meanwhile is soon out of date, and each order keeps the terminal and its line busy.
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** A pause, what ends it, and a speed go out at once even when the terminal is slow to answer. */
export const ORDERS_LIMIT: Limit = { name: 'remote-playback.orders.session', max: 4 };

export interface RemoteOrdersDeps {
  /** Tells the terminal everything that is wanted at that moment. */
  readonly bringUpToDate: () => Promise<void>;
  readonly onLimit?: OnLimit | undefined;
  readonly onFault: OnFault;
}

export class RemoteOrders {
  readonly #deps: RemoteOrdersDeps;
  #unanswered = 0;
  /** Something was not said: the terminal is brought up to date as soon as it has answered something. */
  #isOutdated = false;

  constructor(deps: RemoteOrdersDeps) {
    this.#deps = deps;
  }

  give(order: () => Promise<unknown>): void {
    if (this.#unanswered >= ORDERS_LIMIT.max) {
      if (!this.#isOutdated) this.#deps.onLimit?.(ORDERS_LIMIT);
      this.#isOutdated = true;
      return;
    }
    this.#unanswered++;
    const answered = (): void => {
      this.#unanswered--;
      if (!this.#isOutdated) return;
      this.#isOutdated = false;
      this.give(this.#deps.bringUpToDate);
    };
    const { onFault } = this.#deps;
    inBackground('a viewer’s order could not be carried out', order().finally(answered), onFault);
  }
}
