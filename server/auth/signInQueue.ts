// Attempts to sign in that wait: who is next, and who gives way when they are too many.
import type { Limit, OnLimit } from '../limits/limit.ts';
import { RecentMap } from '../limits/recentMap.ts';
import { failuresAt, type Pace, type PaceRule } from './signInPace.ts';

/**
 * Whoever had a turn comes behind those who had none, until this many others had theirs: some twenty seconds of checks. Without
 * an end to it, new addresses that keep coming would keep an owner out who was here before.
 */
export const TURNS_LIMIT: Limit = { name: 'signin.remembered-turns', max: 1_024 };

/** One of the counts that an attempt is paced by. */
export interface Paced {
  readonly paces: RecentMap<Pace>;
  readonly key: string;
  readonly rule: PaceRule;
  /** A right password clears it; otherwise takes one failure off it. */
  readonly isCleared: boolean;
}

/** `known`: a browser that has signed in to the account before, or a session. */
export type Kind = 'stranger' | 'known';

export interface Waiting {
  readonly account: string;
  /** Those who share it take turns with the others: an address, or all known browsers and sessions of an account. */
  readonly share: string;
  readonly kind: Kind;
  readonly paced: readonly Paced[];
  /** Starts the check, or refuses it. */
  readonly settle: (starts: boolean) => void;
}

export class SignInQueue {
  readonly #onLimit: OnLimit;
  /** When each share had its last turn, counted in turns. */
  readonly #turns = new RecentMap<number>(TURNS_LIMIT.max);
  #waiting: Waiting[] = [];
  #turn = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** When the first of them may start; Infinity when none waits. */
  get readyAtMs(): number {
    return Math.min(...this.#waiting.map(readyAt));
  }

  add(newcomer: Waiting): void {
    this.#waiting.push(newcomer);
  }

  /** Of those whose pace lets them, the one whose share has waited longest for a turn; within a share the one that failed least. */
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

  /** Its turn has come. */
  start(next: Waiting): void {
    this.#leave(next);
    this.#turn += 1;
    if (this.#turns.set(next.share, this.#turn) !== undefined) this.#onLimit(TURNS_LIMIT);
  }

  /** Takes out the one that gives way. */
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
 * Of the address or the account that has the most of those who wait: one that cannot start now if there is one, of these one
 * whose address had its turn last, of these the last that came.
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

/** Of the narrowest count: one address on one account, or one lane. */
function failuresOf({ paced }: Waiting, now: number): number {
  const [narrowest] = paced;
  return narrowest === undefined ? 0 : failuresAt(narrowest.paces.get(narrowest.key), now, narrowest.rule);
}
