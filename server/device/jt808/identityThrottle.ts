// Slows those who guess a terminal's identity: what comes after its number is the only secret of a registration.
import { addFailure, countAt, type FailureCount } from '../../limits/failureCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { MAX_WAIT_MS, waitAfter } from './slowing.ts';

/** Addresses, numbers, and numbers at an address that are remembered; those that failed longest ago are forgotten. */
export const REMEMBERED_GUESSERS_LIMIT: Limit = { name: 'terminals.guessers.all', max: 10_000 };
/** How far ahead the turns of one address may be given away, in ms; beyond that a registration is not judged. */
export const GUESS_TURNS_LIMIT: Limit = { name: 'terminals.guess-wait.address', max: MAX_WAIT_MS };
/** One failure each. */
const FORGET_MS = 10 * 60_000;

export interface IdentityClaim {
  /** Canonical terminal number. */
  readonly number: string;
  /** Address key. */
  readonly address: string;
  readonly identity: string;
  /** The device last signed in from this address. */
  readonly isAtHome: boolean;
}

interface Pair {
  readonly failures: FailureCount;
  /** The wrong identity that was shown last. */
  readonly identity: string;
}

/**
 * Every address has a lane of its own, so a stranger's guesses never delay the rightful terminal at another address: an address
 * without a wrong identity is judged at once, however often the number was guessed elsewhere. At the address from which
 * it last signed in, a terminal waits for guesses at its own number alone, so that a fleet behind one carrier is not slowed
 * by one of its neighbours. Showing the same wrong identity again is no new guess: a terminal that was exchanged does so until
 * it is approved.
 */
export class IdentityThrottle {
  readonly #now: () => number;
  readonly #onLimit: OnLimit;
  readonly #addresses = new RecentMap<FailureCount>(REMEMBERED_GUESSERS_LIMIT.max);
  readonly #numbers = new RecentMap<FailureCount>(REMEMBERED_GUESSERS_LIMIT.max);
  readonly #pairs = new RecentMap<Pair>(REMEMBERED_GUESSERS_LIMIT.max);
  /** When the last turn of each lane is. */
  readonly #turns = new RecentMap<number>(REMEMBERED_GUESSERS_LIMIT.max);

  constructor(now: () => number, onLimit: OnLimit) {
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** Milliseconds until the claim may be judged; undefined when too many of its address wait already. */
  waitMs(claim: IdentityClaim): number | undefined {
    const pair = this.#pairs.get(pairKey(claim));
    if (pair?.identity === claim.identity) return 0;
    const delayMs = waitAfter(this.#failures(claim, pair));
    if (delayMs === 0) return 0;
    const nowMs = this.#now();
    const lane = claim.isAtHome ? pairKey(claim) : claim.address;
    const turnMs = Math.max(nowMs, this.#turns.get(lane) ?? 0) + delayMs;
    if (turnMs - nowMs > GUESS_TURNS_LIMIT.max) {
      this.#onLimit(GUESS_TURNS_LIMIT);
      return undefined;
    }
    this.#turns.set(lane, turnMs);
    return turnMs - nowMs;
  }

  /** The claim was wrong. */
  failed(claim: IdentityClaim): void {
    const key = pairKey(claim);
    const pair = this.#pairs.get(key);
    if (pair?.identity === claim.identity) return;
    const nowMs = this.#now();
    const failures = addFailure(countAt(pair?.failures, nowMs, FORGET_MS), nowMs);
    this.#noteFull(this.#pairs.set(key, { failures, identity: claim.identity }));
    this.#noteFull(this.#add(this.#addresses, claim.address, nowMs));
    this.#noteFull(this.#add(this.#numbers, claim.number, nowMs));
  }

  #failures(claim: IdentityClaim, pair: Pair | undefined): number {
    const nowMs = this.#now();
    const count = (failures: FailureCount | undefined) => countAt(failures, nowMs, FORGET_MS);
    if (claim.isAtHome) return count(pair?.failures);
    const ofAddress = count(this.#addresses.get(claim.address));
    return ofAddress === 0 ? 0 : Math.max(ofAddress, count(this.#numbers.get(claim.number)));
  }

  #add(counts: RecentMap<FailureCount>, key: string, nowMs: number): string | undefined {
    return counts.set(key, addFailure(countAt(counts.get(key), nowMs, FORGET_MS), nowMs));
  }

  #noteFull(forgotten: string | undefined): void {
    if (forgotten !== undefined) this.#onLimit(REMEMBERED_GUESSERS_LIMIT);
  }
}

function pairKey({ number, address }: IdentityClaim): string {
  return `${address} ${number}`;
}
