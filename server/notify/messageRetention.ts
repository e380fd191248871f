// Deletes messages from the log when their retention is over. Waiting messages stay.
import { Rounds } from '../faults/rounds.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { MessageRemovalStore } from '../store/notify/outbox/messageRemoval.ts';

export interface MessageRetentionDeps {
  readonly removal: MessageRemovalStore;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

export const KEPT_DAYS = 90;
/** Notifications that one statement deletes. The rest follows after 0.1 s. */
export const MESSAGE_REMOVAL_LIMIT: Limit = { name: 'notify.removal.statement', max: 1_000 };
const DAY_MS = 24 * 60 * 60_000;
const ROUND_INTERVAL_MS = 60 * 60_000;
const ROUND_DELAY_MS = 10_000;
const PAUSE_MS = 100;

export class MessageRetention {
  readonly #deps: MessageRetentionDeps;
  readonly #rounds: Rounds;

  constructor(deps: MessageRetentionDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'old notifications could not be deleted',
      intervalMs: ROUND_INTERVAL_MS,
      delayMs: ROUND_DELAY_MS,
    });
  }

  /** Waits for the statement under way only. */
  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #round(): Promise<void> {
    const { removal, now, onLimit } = this.#deps;
    const { max } = MESSAGE_REMOVAL_LIMIT;
    const beforeMs = now() - KEPT_DAYS * DAY_MS;
    while (!this.#rounds.isClosed && (await removal.removeOlder(beforeMs, max)) === max) {
      onLimit(MESSAGE_REMOVAL_LIMIT);
      await this.#rounds.pause(PAUSE_MS);
    }
  }
}
