// How many orders a terminal that plays is given before it has answered. A command on a slow line takes seconds; what is wanted
// meanwhile is soon out of date, and each order keeps the terminal and its line busy.

/** A pause, what ends it, and a speed go out at once even when the terminal is slow to answer. */
const MAX_UNANSWERED = 4;

export class RemoteOrders {
  readonly #bringUpToDate: () => Promise<void>;
  #unanswered = 0;
  /** Something was not said: the terminal is brought up to date as soon as it has answered something. */
  #isOutdated = false;

  /** `bringUpToDate` tells the terminal everything that is wanted at that moment. */
  constructor(bringUpToDate: () => Promise<void>) {
    this.#bringUpToDate = bringUpToDate;
  }

  give(order: () => Promise<unknown>): void {
    if (this.#unanswered >= MAX_UNANSWERED) {
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
