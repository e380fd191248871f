// Limits the commands to a playing terminal that it hasn't answered yet. On a slow line an answer takes seconds; commands
// are soon out of date, and each one keeps the terminal and its line busy.
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/**
 * Commands (pause, play, speed) that a terminal has not answered: a pause, its resume and a speed are sent at once even if the terminal is
 * slow. The final state is sent when one is answered.
 */
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
  /** A command was withheld: the current state is sent as soon as the terminal has answered one. */
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
