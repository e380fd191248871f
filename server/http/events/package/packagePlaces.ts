// How many evidence packages are written at a time.
import { KeyedCount } from '../../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';

/** Evidence packages that are written at a time: each one reads recordings. A further download is refused with `too-many-packages`. */
export const PACKAGES_LIMIT: Limit = { name: 'events.packages.all', max: 4 };
/**
 * Evidence packages that are written at a time for one user, which leaves as many to the others. A further download is refused with
 * `too-many-packages`.
 */
export const ACCOUNT_PACKAGES_LIMIT: Limit = { name: 'events.packages.account', max: 2 };

/** The places of packages that are being written, for all accounts and for each account. */
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

  /** The returned function gives the place back. Undefined: there is no free place. */
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
