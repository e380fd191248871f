// Slows down whoever tries passwords, by address.
import { addressKey } from '../limits/addressKey.ts';
import { addFailure, countAt, type FailureCount } from '../limits/failureCount.ts';
import type { OnLimit } from '../limits/limit.ts';
import { RecentMap } from '../limits/recentMap.ts';
import { ADDRESS_PASSWORDS_LIMIT } from './ftpLimits.ts';

const FORGET_MS = 10 * 60_000;
const MAX_WAIT_MS = 10_000;
const REMEMBERED_ADDRESSES = 10_000;

/**
 * Only a wrong password waits, so that nobody's guesses delay a terminal behind the same address. What can be guessed has 60
 * random bits and lives for an hour.
 */
export class PasswordGuard {
  readonly #now: () => number;
  readonly #onLimit: OnLimit;
  readonly #failures = new RecentMap<FailureCount>(REMEMBERED_ADDRESSES);

  constructor(now: () => number, onLimit: OnLimit) {
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** How long the answer to a wrong password is kept back. */
  failed(remoteAddress: string): number {
    const key = addressKey(remoteAddress);
    const nowMs = this.#now();
    const count = countAt(this.#failures.get(key), nowMs, FORGET_MS);
    this.#failures.set(key, addFailure(count, nowMs));
    const beyond = Math.ceil(count) - ADDRESS_PASSWORDS_LIMIT.max;
    if (beyond < 0) return 0;
    this.#onLimit(ADDRESS_PASSWORDS_LIMIT);
    return Math.min(1_000 * 2 ** beyond, MAX_WAIT_MS);
  }
}
