// Sign-in attempts that wait for a password check: which is next, and which is dropped when there are too many.
import type { Limit, OnLimit } from '../limits/limit.ts';
import { RecentMap } from '../limits/recentMap.ts';
import { failuresAt, type Pace, type PaceRule } from './signInPace.ts';

/**
 * Addresses whose last turn is remembered, and likewise accounts with known browsers or sessions. The one with the oldest turn counts as
 * new. Whoever had a turn comes after those that had none: without a bound, a steady supply of new addresses would lock out an owner who
 * had a turn before.
 */
export const TURNS_LIMIT: Limit = { name: 'signin.remembered-turns', max: 1_024 };

/** A failure count that delays an attempt. */
export interface Paced {
  readonly paces: RecentMap<Pace>;
  readonly key: string;
  readonly rule: PaceRule;
  /** Whether a right password clears the count; if not, it takes one failure off. */
  readonly isCleared: boolean;
}

/** `known`: from a browser that has signed in to the account before, or from a session. */
export type Kind = 'stranger' | 'known';

export interface Waiting {
  readonly account: string;
  /**
   * Attempts with the same share take turns with the others as one: an address, or all known browsers and sessions of an
   * account.
   */
  readonly share: string;
  readonly kind: Kind;
  readonly paced: readonly Paced[];
  /** Starts the check, or refuses it. */
  readonly settle: (starts: boolean) => void;
}

export class SignInQueue {
  readonly #onLimit: OnLimit;
  /** The number of the turn that each share had last. */
  readonly #turns = new RecentMap<number>(TURNS_LIMIT.max);
  #waiting: Waiting[] = [];
  #turn = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** The time at which the first of the attempts may start; Infinity when none waits. */
  get readyAtMs(): number {
    return Math.min(...this.#waiting.map(readyAt));
  }

  add(newcomer: Waiting): void {
    this.#waiting.push(newcomer);
  }

  /**
   * Among the attempts whose pace allows them: the one whose share has waited longest for a turn, and within a share the one with
   * the fewest failures.
   */
  next(now: number): Waiting | undefined {
    let best: { readonly waiting: Waiting; readonly turn: number; readonly failures: number } | undefined;
    for (const waiting of this.#waiting) {
      if (readyAt(waiting) > now) continue;
      const turn = this.#turnOf(waiting);
      const failures = failuresOf(waiting, now);
      const isBetter = best === undefined || turn < best.turn || (turn === best.turn && failures < best.failures);
      if (isBetter) best = { waiting, turn, failures };
    }
    return best?.waiting;
  }

  /** Marks the attempt's turn as begun. */
  start(next: Waiting): void {
    this.#leave(next);
    this.#turn += 1;
    if (this.#turns.set(next.share, this.#turn) !== undefined) this.#onLimit(TURNS_LIMIT);
  }

  /** Removes the attempt that has to make room. */
  shed(now: number): Waiting | undefined {
    const victim = givesWay(this.#waiting, (each) => ({ isReady: readyAt(each) <= now, turn: this.#turnOf(each) }));
    if (victim !== undefined) this.#leave(victim);
    return victim;
  }

  #turnOf({ share }: Waiting): number {
    return this.#turns.get(share) ?? 0;
  }

  #leave(leaving: Waiting): void {
    this.#waiting = this.#waiting.filter((each) => each !== leaving);
  }
}

/**
 * Chooses the attempt to drop: among those of the address or account with the most waiting attempts, one that can't start
 * yet if there is one, then one whose address had a turn most recently, then the newest.
 */
export function givesWay<Each extends Pick<Waiting, 'account' | 'share'>>(
  waiting: readonly Each[],
  standingOf: (each: Each) => { readonly isReady: boolean; readonly turn: number },
): Each | undefined {
  const byShare = countBy(waiting, ({ share }) => share);
  const byAccount = countBy(waiting, ({ account }) => account);
  const weightOf = ({ share, account }: Each): number => Math.max(byShare.get(share) ?? 0, byAccount.get(account) ?? 0);
  const heaviest = Math.max(...byShare.values(), ...byAccount.values());
  const candidates = waiting
    .filter((each) => weightOf(each) === heaviest)
    .map((each) => ({ each, ...standingOf(each) }));
  const held = candidates.filter(({ isReady }) => !isReady);
  const chosen = held.length > 0 ? held : candidates;
  const lastTurn = Math.max(...chosen.map(({ turn }) => turn));
  return chosen.findLast(({ turn }) => turn === lastTurn)?.each;
}

function countBy<Each>(all: readonly Each[], keyOf: (each: Each) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const each of all) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return counts;
}

export function readyAt({ paced }: Pick<Waiting, 'paced'>): number {
  return Math.max(...paced.map(({ paces, key }) => paces.get(key)?.nextAtMs ?? 0));
}

/** Failures of the narrowest count: one address on one account, or one lane. */
function failuresOf({ paced }: Waiting, now: number): number {
  const [narrowest] = paced;
  return narrowest === undefined ? 0 : failuresAt(narrowest.paces.get(narrowest.key), now, narrowest.rule);
}
