// How many evidence packages are written at a time.
import { KeyedCount } from '../../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';

/** Packages that are written at a time: each reads recordings. */
export const PACKAGES_LIMIT: Limit = { name: 'events.packages.all', max: 4 };
/** Of one account: it leaves as many to the others. */
export const ACCOUNT_PACKAGES_LIMIT: Limit = { name: 'events.packages.account', max: 2 };

/** Of packages that are written, for all and for each account. */
export class PackagePlaces {
  readonly #all: KeyedCount;
  readonly #ofAccount: KeyedCount;

  constructor(onLimit: OnLimit) {
    this.#all = new KeyedCount(PACKAGES_LIMIT, onLimit);
    this.#ofAccount = new KeyedCount(ACCOUNT_PACKAGES_LIMIT, onLimit);
  }

  get areTaken(): boolean {
    return this.#all.count('') >= PACKAGES_LIMIT.max;
  }

  /** The result gives the place back. Undefined: there is none. */
  enter(account: number): (() => void) | undefined {
    const leaveAccount = this.#ofAccount.enter(String(account));
    const leaveAll = leaveAccount === undefined ? undefined : this.#all.enter('');
    if (leaveAll === undefined) leaveAccount?.();
    return (
      leaveAll &&
      (() => {
        leaveAll();
        leaveAccount?.();
      })
    );
  }
}
