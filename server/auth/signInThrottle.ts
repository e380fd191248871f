// Slows down the guessing of passwords, per account and per address.
import { addressKey } from '../limits/addressKey.ts';
import { addFailure, countAt, type FailureCount } from '../limits/failureCount.ts';
import { RecentMap } from '../limits/recentMap.ts';
import { FORGET_ACCOUNT_FAILURE_MS, FORGET_ADDRESS_FAILURE_MS, signInDelayMs } from './signInDelay.ts';

/** Attempts of one address on one account that may wait at once. More would guess in parallel what waiting slows down. */
const MAX_WAITING_PAIR = 3;
const MAX_WAITING_ADDRESS = 32;
/** Bounds the memory of the password function: each attempt under way takes 19 MiB for a moment, four at a time. */
const MAX_WAITING = 256;
/** Names are made up by whoever asks, so what is remembered of them is bounded; the oldest are forgotten first. */
const MAX_REMEMBERED = 10_000;

export interface Attempt {
  /** The name as `userNameKey` gives it, whether there is such a user or not. */
  readonly account: string;
  readonly address: string;
}

export interface ThrottleDeps {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export type Throttled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly retryAfterMs: number };

export class SignInThrottle {
  readonly #deps: ThrottleDeps;
  readonly #accounts = new RecentMap<FailureCount>(MAX_REMEMBERED);
  readonly #addresses = new RecentMap<FailureCount>(MAX_REMEMBERED);
  readonly #waiting = new Map<string, number>();
  #waitingInAll = 0;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
  }

  /**
   * Runs the check of a password, later if there were failures; `check` says whether it was right. The only refusal is
   * for too many attempts at the same time, and it ends when they do.
   */
  async attempt<T extends { readonly right: boolean }>(
    attempt: Attempt,
    check: () => Promise<T>,
  ): Promise<Throttled<T>> {
    const address = addressKey(attempt.address);
    const pair = `${address} ${attempt.account}`;
    if (!this.#hasRoom(address, pair)) return { ok: false, retryAfterMs: RETRY_AFTER_MS };
    const delayMs = this.#countAsFailed(attempt.account, address);
    this.#enter(address, pair);
    try {
      if (delayMs > 0) await this.#deps.wait(delayMs);
      const value = await check();
      if (value.right) this.#forgive(attempt.account, address);
      return { ok: true, value };
    } finally {
      this.#leave(address, pair);
    }
  }

  #hasRoom(address: string, pair: string): boolean {
    return (
      this.#waitingInAll < MAX_WAITING &&
      (this.#waiting.get(address) ?? 0) < MAX_WAITING_ADDRESS &&
      (this.#waiting.get(pair) ?? 0) < MAX_WAITING_PAIR
    );
  }

  // Before the outcome is known, since attempts that run at the same time must slow one another down too.
  #countAsFailed(account: string, address: string): number {
    const now = this.#deps.now();
    const accountFailures = countAt(this.#accounts.get(account), now, FORGET_ACCOUNT_FAILURE_MS);
    const addressFailures = countAt(this.#addresses.get(address), now, FORGET_ADDRESS_FAILURE_MS);
    this.#accounts.set(account, addFailure(accountFailures, now));
    this.#addresses.set(address, addFailure(addressFailures, now));
    return signInDelayMs(accountFailures, addressFailures);
  }

  // The account's owner is here. The address keeps its other failures: who has one account may still guess others.
  #forgive(account: string, address: string): void {
    this.#accounts.delete(account);
    const now = this.#deps.now();
    const failures = countAt(this.#addresses.get(address), now, FORGET_ADDRESS_FAILURE_MS);
    if (failures > 1) this.#addresses.set(address, { count: failures - 1, atMs: now });
    else this.#addresses.delete(address);
  }

  #enter(address: string, pair: string): void {
    this.#waitingInAll += 1;
    for (const key of [address, pair]) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
  }

  #leave(address: string, pair: string): void {
    this.#waitingInAll -= 1;
    for (const key of [address, pair]) {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
    }
  }
}

const RETRY_AFTER_MS = 5_000;
