// Slows down the guessing of passwords and codes. Few checks run at a time; failures wait longer, and nobody can take all
// the places.
import { addressKey } from '../limits/addressKey.ts';
import { KeyedCount } from '../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { RecentMap } from '../limits/recentMap.ts';
import { ACCOUNT_PACE, ADDRESS_PACE, LANE_PACE, PAIR_PACE, type Pace, paceAfter, paceForgiven } from './signInPace.ts';
import { type Kind, type Paced, readyAt, SignInQueue, type Waiting } from './signInQueue.ts';

/**
 * Checks of passwords and codes at a time: each takes 19 MiB and some 40 ms of a core, and two leave the other threads of the pool to file
 * access. Further ones wait for their turn. Addresses take turns with one another, and so do accounts with known browsers or sessions; when
 * both wait, each side gets one of the two.
 */
export const CHECKS_LIMIT: Limit = { name: 'signin.checks', max: 2 };
/**
 * Attempts of strangers from one address on one account, running or waiting. The last of them waits some sixteen seconds. A further one is
 * refused with 429 `slow-down`.
 */
export const PAIR_LIMIT: Limit = { name: 'signin.attempts.pair', max: 32 };
/** Attempts of strangers from one address on any accounts, running or waiting. A further one is refused with 429 `slow-down`. */
export const ADDRESS_LIMIT: Limit = { name: 'signin.attempts.address', max: 64 };
/**
 * Attempts of one lane: a browser that has signed in before, or a session, which one person uses. A further one is refused with 429
 * `slow-down`.
 */
export const LANE_LIMIT: Limit = { name: 'signin.attempts.lane', max: 3 };
/**
 * Attempts of all known browsers and sessions of one account, as many as the browsers that an account may be known by. Sign-ins, codes and
 * password changes count separately. A further one is refused with 429 `slow-down`.
 */
export const LANE_ACCOUNT_LIMIT: Limit = { name: 'signin.attempts.lanes-account', max: 20 };
/**
 * Waiting attempts of strangers, from all addresses. The address or account with the most of them loses one, which is refused with 429
 * `slow-down`; an attempt that can start at once is never refused.
 */
export const STRANGERS_LIMIT: Limit = { name: 'signin.attempts.strangers', max: 1_024 };
/**
 * Waiting attempts of known browsers and sessions, on all accounts. The account with the most of them loses one, which is refused with 429
 * `slow-down`.
 */
export const LANES_LIMIT: Limit = { name: 'signin.attempts.lanes', max: 256 };
/**
 * Accounts, addresses, pairs of both and known browsers whose failures are remembered, of each kind. Clients make up usernames, so each
 * table is bounded. The one with the oldest attempt is forgotten.
 */
export const REMEMBERED_LIMIT: Limit = { name: 'signin.remembered', max: 10_000 };

const RETRY_AFTER_MS = 2_000;

export interface Attempt {
  /** The name as `userNameKey` gives it, whether there is such a user or not. */
  readonly account: string;
  readonly address: string;
  /** The browser that has signed in to the account before, or the session; its attempts are counted apart from those of unknown clients. */
  readonly lane?: string | undefined;
}

export interface ThrottleDeps {
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

export type Throttled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly retryAfterMs: number };

export class SignInThrottle {
  readonly #deps: ThrottleDeps;
  readonly #pairs = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #accounts = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #addresses = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #lanes = new RecentMap<Pace>(REMEMBERED_LIMIT.max);
  readonly #places: Readonly<Record<'pair' | 'address' | 'lane' | 'laneAccount', KeyedCount>>;
  readonly #queues: Readonly<Record<Kind, SignInQueue>>;
  readonly #running: Record<Kind, number> = { stranger: 0, known: 0 };
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(deps: ThrottleDeps) {
    this.#deps = deps;
    const places = (limit: Limit): KeyedCount => new KeyedCount(limit, deps.onLimit);
    this.#places = {
      pair: places(PAIR_LIMIT),
      address: places(ADDRESS_LIMIT),
      lane: places(LANE_LIMIT),
      laneAccount: places(LANE_ACCOUNT_LIMIT),
    };
    this.#queues = { stranger: new SignInQueue(deps.onLimit), known: new SignInQueue(deps.onLimit) };
  }

  /**
   * Runs the check of a password or a code when its turn comes; `check` says whether it was right. Only attempts that find
   * no room in the queue are refused.
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
      const value = await this.#run(check, kindOf(attempt));
      if (value.right) this.#forgive(paced);
      return { ok: true, value };
    } finally {
      leave();
    }
  }

  /** Takes the attempt's places and gives their release; undefined when there is no room. */
  #enter({ account, address, lane }: Attempt): (() => void) | undefined {
    const { pair, address: ofAddress, lane: ofLane, laneAccount } = this.#places;
    const source = addressKey(address);
    const [narrow, wide] =
      lane === undefined
        ? [() => pair.enter(`${source} ${account}`), () => ofAddress.enter(source)]
        : [() => ofLane.enter(`${lane} ${account}`), () => laneAccount.enter(account)];
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
      // The address keeps its other failures: the owner of one account may still be guessing at others.
      { paces: this.#addresses, key: source, rule: ADDRESS_PACE, isCleared: false },
    ];
  }

  #turnOf(attempt: Attempt, paced: readonly Paced[]): Promise<boolean> {
    const { account, address } = attempt;
    const kind = kindOf(attempt);
    const share = kind === 'known' ? account : addressKey(address);
    return new Promise((settle) => {
      const newcomer = { account, share, kind, paced, settle };
      this.#queues[kind].add(newcomer);
      if (!this.#hasRoom) this.#deps.onLimit(CHECKS_LIMIT);
      // None of the attempts before it can start now, or it would have.
      const readyMs = readyAt(newcomer);
      if (readyMs <= this.#deps.now()) this.#startNext();
      else this.#wakeAt(readyMs);
      this.#shed(kind);
    });
  }

  #shed(kind: Kind): void {
    const limit = kind === 'known' ? LANES_LIMIT : STRANGERS_LIMIT;
    if (this.#queues[kind].size <= limit.max) return;
    this.#deps.onLimit(limit);
    this.#queues[kind].shed(this.#deps.now())?.settle(false);
  }

  get #hasRoom(): boolean {
    return this.#running.stranger + this.#running.known < CHECKS_LIMIT.max;
  }

  #startNext(): void {
    const now = this.#deps.now();
    while (this.#hasRoom) {
      const next = this.#next(now);
      if (next === undefined) break;
      this.#queues[next.kind].start(next);
      this.#running[next.kind] += 1;
      // Counted before the result is known, so that attempts in parallel delay one another too.
      for (const { paces, key, rule } of next.paced) this.#remember(paces, key, paceAfter(paces.get(key), now, rule));
      next.settle(true);
    }
    const readyMs = Math.min(this.#queues.stranger.readyAtMs, this.#queues.known.readyAtMs);
    if (this.#hasRoom && readyMs < Number.POSITIVE_INFINITY) this.#wakeAt(readyMs);
  }

  #next(now: number): Waiting | undefined {
    const stranger = this.#queues.stranger.next(now);
    const known = this.#queues.known.next(now);
    if (stranger === undefined || known === undefined) return known ?? stranger;
    return this.#running.known === 0 ? known : stranger;
  }

  #wakeAt(dueMs: number): void {
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#timer?.cancel();
    const cancel = this.#deps.runAfter(Math.max(0, dueMs - this.#deps.now()), () => {
      this.#timer = undefined;
      this.#startNext();
    });
    this.#timer = { dueMs, cancel };
  }

  async #run<T>(check: () => Promise<T>, kind: Kind): Promise<T> {
    try {
      return await check();
    } finally {
      this.#running[kind] -= 1;
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

function kindOf({ lane }: Attempt): Kind {
  return lane === undefined ? 'stranger' : 'known';
}

const REFUSED = { ok: false, retryAfterMs: RETRY_AFTER_MS } as const;
