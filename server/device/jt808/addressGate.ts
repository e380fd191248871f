// Limits the registrations from one address that are checked: a number at once, and then a few a second of those that are refused.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';

/**
 * Registrations of one address that are being checked or were refused, at once; then 5 per second. Accepted ones give their place back, and
 * need none at an address where they were accepted before. A further one waits for its turn, and its connection is closed unanswered after
 * half a minute if refusals hold the places. A terminal that was refused before is refused again five seconds later and not added to the
 * list.
 */
export const REFUSED_REGISTRATIONS_LIMIT: Limit = { name: 'terminals.refused.address', max: 200 };
const REFUSED_PER_SECOND = 5;
const REFILL_MS = 1_000 / REFUSED_PER_SECOND;
/** Terminals wait this long for an answer. */
const PATIENCE_MS = 30_000;

/** The connection over which a terminal asks to be let in. */
export interface Caller {
  readonly remoteAddress: string;
  /** Sleeps until the delay or `earlier` is over. False when the connection has ended meanwhile. */
  sleep(delayMs: number, earlier?: Promise<void>): Promise<boolean>;
}

export interface AddressGateDeps {
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

interface Waiter {
  isAdmitted: boolean;
  readonly admitted: Promise<void>;
  readonly admit: () => void;
}

/** Places are taken before the database is asked, so that registrations that arrive together do not all pass. */
export class AddressGate {
  readonly #deps: AddressGateDeps;
  readonly #places: TokenBucket;
  /** Waiting registrations: at most one for each connection of the address. */
  readonly #waiting = new Set<Waiter>();
  #judging = 0;
  #isRefilling = false;

  constructor(deps: AddressGateDeps) {
    this.#deps = deps;
    const rate = { burst: REFUSED_REGISTRATIONS_LIMIT.max, perSecond: REFUSED_PER_SECOND };
    this.#places = new TokenBucket(rate, deps.now());
  }

  /** Takes a place; false if none was free. */
  tryEnter(): boolean {
    if (this.#waiting.size > 0 || !this.#places.take(this.#deps.now())) return false;
    this.#judging++;
    return true;
  }

  /** Waits for a place, in the order of arrival. False when the connection has ended, or has waited for too long. */
  async enter(caller: Caller): Promise<boolean> {
    if (this.tryEnter()) return true;
    if (!this.#isDatabaseBusy) this.#deps.onLimit(REFUSED_REGISTRATIONS_LIMIT);
    const waiter = createWaiter();
    this.#waiting.add(waiter);
    this.#refillLater();
    const isThere = await this.#wait(waiter, caller);
    this.#waiting.delete(waiter);
    if (waiter.isAdmitted && !isThere) this.leave(true);
    return waiter.isAdmitted && isThere;
  }

  /** `givesBack`: the registration was let in, or could not be judged for a reason of ours. */
  leave(givesBack: boolean): void {
    this.#judging--;
    if (givesBack) this.#places.giveBack();
    this.#admit();
  }

  async #wait(waiter: Waiter, caller: Caller): Promise<boolean> {
    const isThere = await caller.sleep(PATIENCE_MS, waiter.admitted);
    if (!isThere || waiter.isAdmitted || !this.#isDatabaseBusy) return isThere;
    return this.#wait(waiter, caller);
  }

  /** Most places are held by registrations that are being checked: those behind them wait for the server. */
  get #isDatabaseBusy(): boolean {
    return this.#judging > REFUSED_REGISTRATIONS_LIMIT.max / 2;
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (!this.#places.take(this.#deps.now())) break;
      this.#waiting.delete(waiter);
      this.#judging++;
      waiter.admit();
    }
    this.#refillLater();
  }

  #refillLater(): void {
    if (this.#isRefilling || this.#waiting.size === 0) return;
    this.#isRefilling = true;
    this.#deps.runAfter(REFILL_MS, () => {
      this.#isRefilling = false;
      this.#admit();
    });
  }
}

function createWaiter(): Waiter {
  let resolve: () => void = () => undefined;
  const waiter = {
    isAdmitted: false,
    admitted: new Promise<void>((resolveAdmitted) => {
      resolve = resolveAdmitted;
    }),
    admit: () => {
      waiter.isAdmitted = true;
      resolve();
    },
  };
  return waiter;
}
