// Slows down the guessing of terminal identities. Beside its number, which is no secret, the identity is all that a
// registration proves.
import { addFailure, countAt, type FailureCount } from '../../limits/failureCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { MAX_WAIT_MS, waitAfter } from './slowing.ts';

/** Addresses, and numbers, whose wrong identities and turns are remembered. The one that failed longest ago is forgotten. */
export const REMEMBERED_GUESSERS_LIMIT: Limit = { name: 'terminals.guessers.all', max: 10_000 };
/**
 * Time that registrations of one number at one address wait for their turn after wrong identities. A registration that
 * would wait longer is not checked, and its connection is closed; one that has a turn keeps it.
 */
export const GUESS_TURNS_LIMIT: Limit = { name: 'terminals.guess-wait.number', max: MAX_WAIT_MS };
/** Time after which one failure is forgotten. */
const FORGET_MS = 10 * 60_000;

export interface IdentityClaim {
  /** Canonical terminal number. */
  readonly number: string;
  /** Address key. */
  readonly address: string;
  readonly identity: string;
  /** Whether the device last signed in from this address. */
  readonly isAtHome: boolean;
}

interface Pair {
  readonly failures: FailureCount;
  /** The last wrong identity shown. */
  readonly identity: string;
}

/**
 * A claim is delayed by earlier wrong identities of its address and of its number. Each pair of number and address has a
 * queue of its own, so that guesses can't use up the turns of the real terminal elsewhere, or of others behind the same
 * carrier: these wait half a minute at most. At the address from which it last signed in, a terminal is only delayed by
 * guesses at its own number from there.
 * Repeating the same wrong identity isn't a new guess: a replaced terminal does that until it is approved. For the same
 * reason the first wrong identity of a number counts for the number and not for the address.
 * Turns are given out before anything is checked, so that hanging up and connecting again gains nothing. What remains: a sender behind
 * the same carrier address can use up the turns of a number, and keep out a terminal that has no code and was not accepted there before.
 */
export class IdentityThrottle {
  readonly #now: () => number;
  readonly #onLimit: OnLimit;
  readonly #addresses = new RecentMap<FailureCount>(REMEMBERED_GUESSERS_LIMIT.max);
  readonly #numbers = new RecentMap<FailureCount>(REMEMBERED_GUESSERS_LIMIT.max);
  readonly #pairs = new RecentMap<Pair>(REMEMBERED_GUESSERS_LIMIT.max);
  /** Time of the last turn given in each queue. */
  readonly #turns = new RecentMap<number>(REMEMBERED_GUESSERS_LIMIT.max);
  /** Time of each claim's turn. A claim that returns keeps it, because terminals hang up before half a minute is over. */
  readonly #given = new RecentMap<number>(REMEMBERED_GUESSERS_LIMIT.max);

  constructor(now: () => number, onLimit: OnLimit) {
    this.#now = now;
    this.#onLimit = onLimit;
  }

  /** Milliseconds until the claim may be checked; undefined if too many are waiting for the same number at its address. */
  waitMs(claim: IdentityClaim): number | undefined {
    const pair = this.#pairs.get(pairKey(claim));
    if (pair?.identity === claim.identity) return 0;
    const nowMs = this.#now();
    const givenMs = aheadOf(this.#given.get(claimKey(claim)), nowMs);
    if (givenMs !== undefined) return givenMs;
    const delayMs = waitAfter(this.#failures(claim, pair));
    return delayMs === 0 ? 0 : this.#giveTurn(claim, delayMs);
  }

  #giveTurn(claim: IdentityClaim, delayMs: number): number | undefined {
    const nowMs = this.#now();
    const pair = pairKey(claim);
    const waitMs = (aheadOf(this.#turns.get(pair), nowMs) ?? 0) + delayMs;
    if (waitMs > GUESS_TURNS_LIMIT.max) {
      this.#onLimit(GUESS_TURNS_LIMIT);
      return undefined;
    }
    this.#noteFull(this.#turns.set(pair, nowMs + waitMs));
    this.#noteFull(this.#given.set(claimKey(claim), nowMs + waitMs));
    return waitMs;
  }

  /** The claim was wrong. */
  failed(claim: IdentityClaim): void {
    const key = pairKey(claim);
    const pair = this.#pairs.get(key);
    if (pair?.identity === claim.identity) return;
    const nowMs = this.#now();
    const failures = addFailure(countAt(pair?.failures, nowMs, FORGET_MS), nowMs);
    this.#noteFull(this.#pairs.set(key, { failures, identity: claim.identity }));
    if (pair !== undefined) this.#noteFull(this.#add(this.#addresses, claim.address, nowMs));
    this.#noteFull(this.#add(this.#numbers, claim.number, nowMs));
  }

  #failures(claim: IdentityClaim, pair: Pair | undefined): number {
    const nowMs = this.#now();
    const count = (failures: FailureCount | undefined) => countAt(failures, nowMs, FORGET_MS);
    if (claim.isAtHome) return count(pair?.failures);
    return Math.max(count(this.#addresses.get(claim.address)), count(this.#numbers.get(claim.number)));
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

function claimKey(claim: IdentityClaim): string {
  return `${pairKey(claim)} ${claim.identity}`;
}

/** Time until a turn; undefined without one, and for one given before the clock was set back. */
function aheadOf(turnMs: number | undefined, nowMs: number): number | undefined {
  if (turnMs === undefined || turnMs - nowMs > GUESS_TURNS_LIMIT.max) return undefined;
  return Math.max(0, turnMs - nowMs);
}
