import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';

const HOUR_S = 3_600;
/** Maximum of devices whose use is remembered: more than an installation has. */
const DEVICES = 50_000;

/** Lets each device do something up to the limit at once, and up to the limit in an hour. */
export class HourlyLimit {
  readonly #limit: Limit;
  readonly #onLimit: OnLimit;
  readonly #now: () => number;
  readonly #buckets = new RecentMap<TokenBucket>(DEVICES);

  constructor(limit: Limit, { onLimit, now }: { readonly onLimit: OnLimit; readonly now: () => number }) {
    this.#limit = limit;
    this.#onLimit = onLimit;
    this.#now = now;
  }

  take(archiveNumber: number): boolean {
    const key = String(archiveNumber);
    const { max } = this.#limit;
    const nowMs = this.#now();
    const bucket = this.#buckets.get(key) ?? new TokenBucket({ burst: max, perSecond: max / HOUR_S }, nowMs);
    this.#buckets.set(key, bucket);
    if (bucket.take(nowMs)) return true;
    this.#onLimit(this.#limit);
    return false;
  }
}
