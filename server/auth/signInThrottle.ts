// Slows down the guessing of passwords and codes. Checks run a few at a time, and all who wait have their turn: whoever
// fails waits longer, and nobody takes the place of others.
import { addressKey } from '../limits/addressKey.ts';
import { KeyedCount } from '../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { RecentMap } from '../limits/recentMap.ts';
import {
  ACCOUNT_PACE,
  ADDRESS_PACE,
  failuresAt,
  LANE_PACE,
  PAIR_PACE,
  type Pace,
  type PaceRule,
  paceAfter,
  paceForgiven,
} from './signInPace.ts';

/** A check takes 19 MiB and a core for some 40 ms; two leave the other threads of the pool to files. */
export const CHECKS_LIMIT: Limit = { name: 'signin.checks', max: 2 };
/** Attempts of one address on one account, under way or waiting. The last of them waits some sixteen seconds. */
export const PAIR_LIMIT: Limit = { name: 'signin.attempts.pair', max: 32 };
export const ADDRESS_LIMIT: Limit = { name: 'signin.attempts.address', max: 64 };
/** One person types here. */
export const LANE_LIMIT: Limit = { name: 'signin.attempts.lane', max: 3 };
/** Of all strangers. The address with the most of them gives way, never the one that comes with its first. */
export const STRANGERS_LIMIT: Limit = { name: 'signin.attempts.strangers', max: 1_024 };
export const LANES_LIMIT: Limit = { name: 'signin.attempts.lanes', max: 256 };
/** Names are made up by whoever asks, so what is remembered of each kind is bounded; the oldest are forgotten first. */
export const REMEMBERED_LIMIT: Limit = { name: 'signin.remembered', max: 10_000 };

const RETRY_AFTER_MS = 2_000;

export interface Attempt {
  /** The name as `userNameKey` gives it, whether there is such a user or not. */
  readonly account: string;
  readonly address: string;
  /** Of a browser that has signed in to the account before, or of a session: counted apart from strangers. */
  readonly lane?: string | undefined;
}

export interface ThrottleDeps {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

export type Throttled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly retryAfterMs: number };

/** One of the counts that an attempt is paced by. */
interface Paced {
  readonly paces: RecentMap<Pace>;
  readonly key: string;
  readonly rule: PaceRule;
  /** A right password clears it; otherwise takes one failure off it. */
  readonly isCleared: boolean;
}

interface Waiting {
  /** Those who share it take turns with the others: an address, or all known browsers and sessions of an account. */
  readonly share: string;
  readonly isStranger: boolean;
  readonly paced: readonly Paced[];
  /** Starts the check, or refuses it. */
  readonly settle: (starts: boolean) => void;
}

export class SignInThrottle {
  readonly #deps: ThrottleDeps;
  readonly #pairs = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #accounts = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #addresses = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #lanes = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  /** When each share had its last turn, counted in turns. */
  readonly #turns = new RecentMap<number>(REMEMBERED_LIMIT.max);
  readonly #places: Readonly<Record<'pair' | 'address' | 'lane' | 'lanes', KeyedCount>>;
  #waiting: Waiting[] = [];
  #running = 0;
  #turn = 0;
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
    const places = (limit: Limit): KeyedCount => new KeyedCount(limit, deps.onLimit);
    this.#places = {
      ...{ pair: places(PAIR_LIMIT), address: places(ADDRESS_LIMIT) },
      ...{ lane: places(LANE_LIMIT), lanes: places(LANES_LIMIT) },
    };
  }

  /**
   * Runs the check of a password or a code when its turn comes; `check` says whether it was right. Refused are only attempts
   * that find no room among those that wait.
   */
  async attempt<T extends { readonly right: boolean }>(
    attempt: Attempt,
    check: () => Promise<T>,
  ): Promise<Throttled<T>> {
    const leave = this.#enter(attempt);
    if (leave === undefined) return REFUSED;
    try {
      const paced = this.#pacedBy(attempt);
      if (!(await this.#turnOf(attempt, paced))) return REFUSED;
      return { ok: true, value: await this.#run(paced, check) };
    } finally {
      leave();
    }
  }

  /** Takes the attempt's places; undefined when there is no room. */
  #enter({ account, address, lane }: Attempt): (() => void) | undefined {
    const { pair, address: ofAddress, lane: ofLane, lanes } = this.#places;
    const source = addressKey(address);
    const [narrow, wide] =
      lane === undefined
        ? [() => pair.enter(`${source} ${account}`), () => ofAddress.enter(source)]
        : [() => ofLane.enter(`${lane} ${account}`), () => lanes.enter('')];
    const leaveNarrow = narrow();
    if (leaveNarrow === undefined) return undefined;
    const leaveWide = wide();
    if (leaveWide === undefined) {
      leaveNarrow();
      return undefined;
    }
    return () => {
      leaveNarrow();
      leaveWide();
    };
  }

  #pacedBy({ account, address, lane }: Attempt): readonly Paced[] {
    if (lane !== undefined) {
      return [{ paces: this.#lanes, key: `${lane} ${account}`, rule: LANE_PACE, isCleared: true }];
    }
    const source = addressKey(address);
    return [
      { paces: this.#pairs, key: `${source} ${account}`, rule: PAIR_PACE, isCleared: true },
      { paces: this.#accounts, key: account, rule: ACCOUNT_PACE, isCleared: true },
      // The address keeps its other failures: who has one account may still guess at others.
      { paces: this.#addresses, key: source, rule: ADDRESS_PACE, isCleared: false },
    ];
  }

  #turnOf({ account, address, lane }: Attempt, paced: readonly Paced[]): Promise<boolean> {
    return new Promise((settle) => {
      const share = lane === undefined ? addressKey(address) : `own ${account}`;
      const newcomer = { share, isStranger: lane === undefined, paced, settle };
      this.#waiting.push(newcomer);
      if (this.#running >= CHECKS_LIMIT.max) this.#deps.onLimit(CHECKS_LIMIT);
      this.#shed();
      // Of those who came before none can start now, or they would have.
      const readyMs = readyAt(newcomer);
      if (readyMs <= this.#deps.now()) this.#startNext();
      else this.#wakeAt(readyMs);
    });
  }

  /** Refuses the last that came from the address with the most attempts waiting, when strangers are too many. */
  #shed(): void {
    const strangers = this.#waiting.filter(({ isStranger }) => isStranger);
    if (strangers.length <= STRANGERS_LIMIT.max) return;
    const counts = new Map<string, number>();
    for (const { share } of strangers) counts.set(share, (counts.get(share) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const victim = strangers.findLast(({ share }) => counts.get(share) === most);
    if (victim === undefined) return;
    this.#waiting = this.#waiting.filter((each) => each !== victim);
    this.#deps.onLimit(STRANGERS_LIMIT);
    victim.settle(false);
  }

  #startNext(): void {
    const now = this.#deps.now();
    while (this.#running < CHECKS_LIMIT.max) {
      const next = this.#choose(now);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#running += 1;
      this.#turn += 1;
      this.#turns.set(next.share, this.#turn);
      // Before the outcome is known: attempts that run at the same time must slow one another down too.
      for (const { paces, key, rule } of next.paced) this.#remember(paces, key, paceAfter(paces.get(key), now, rule));
      next.settle(true);
    }
    if (this.#waiting.length > 0 && this.#running < CHECKS_LIMIT.max) {
      this.#wakeAt(Math.min(...this.#waiting.map(readyAt)));
    }
  }

  /** Of those whose pace lets them, the one whose share has waited longest for a turn; within a share the one that failed least. */
  #choose(now: number): Waiting | undefined {
    let best: { readonly waiting: Waiting; readonly turn: number; readonly failures: number } | undefined;
    for (const waiting of this.#waiting) {
      if (readyAt(waiting) > now) continue;
      const turn = this.#turns.get(waiting.share) ?? 0;
      const failures = failuresOf(waiting, now);
      const isBetter = best === undefined || turn < best.turn || (turn === best.turn && failures < best.failures);
      if (isBetter) best = { waiting, turn, failures };
    }
    return best?.waiting;
  }

  #wakeAt(dueMs: number): void {
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.cancel();
    const cancel = this.#deps.after(Math.max(0, dueMs - this.#deps.now()), () => {
      this.#timer = undefined;
      this.#startNext();
    });
    this.#timer = { dueMs, cancel };
  }

  async #run<T extends { readonly right: boolean }>(paced: readonly Paced[], check: () => Promise<T>): Promise<T> {
    try {
      const value = await check();
      if (value.right) this.#forgive(paced);
      return value;
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #forgive(paced: readonly Paced[]): void {
    for (const { paces, key, rule, isCleared } of paced) {
      const pace = paces.get(key);
      const left = pace === undefined || isCleared ? undefined : paceForgiven(pace, this.#deps.now(), rule);
      if (left === undefined) paces.delete(key);
      else paces.set(key, left);
    }
  }

  #remember(paces: RecentMap<Pace>, key: string, pace: Pace): void {
    if (paces.set(key, pace) !== undefined) this.#deps.onLimit(REMEMBERED_LIMIT);
  }
}

const REFUSED = { ok: false, retryAfterMs: RETRY_AFTER_MS } as const;

function readyAt({ paced }: Waiting): number {
  return Math.max(...paced.map(({ paces, key }) => paces.get(key)?.nextAtMs ?? 0));
}

/** Of the narrowest count: one address on one account, or one lane. */
function failuresOf({ paced }: Waiting, now: number): number {
  const [narrowest] = paced;
  return narrowest === undefined ? 0 : failuresAt(narrowest.paces.get(narrowest.key), now, narrowest.rule);
}
