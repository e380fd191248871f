// When each rule last reported an event of a device and type: minimum intervals are counted from this.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import type { ToldTime } from '../../store/notify/notifyTold.ts';

/**
 * Rules with a minimum interval, times devices and event types that they told of. The one that was told longest ago is forgotten, and its
 * interval is over early.
 */
export const TOLD_TIMES_LIMIT: Limit = { name: 'notify.intervals.all', max: 100_000 };
/** Maximum length of an interval. */
const LONGEST_INTERVAL_MS = 24 * 60 * 60_000;

export class ToldTimes {
  readonly #times = new RecentMap<number>(TOLD_TIMES_LIMIT.max);
  readonly #onLimit: OnLimit;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  get size(): number {
    return this.#times.size;
  }

  lastAt(key: string): number | undefined {
    return this.#times.get(key);
  }

  note(key: string, atMs: number): void {
    const forgotten = this.#times.set(key, atMs);
    if (forgotten !== undefined) this.#onLimit(TOLD_TIMES_LIMIT);
  }

  /** Takes the times from before a start, in any order. */
  takeUp(times: readonly ToldTime[]): void {
    for (const time of times.toSorted((left, right) => left.atMs - right.atMs)) this.note(toldKey(time), time.atMs);
  }

  static sinceMs(nowMs: number): number {
    return nowMs - LONGEST_INTERVAL_MS;
  }
}

export function toldKey({ rule, archiveNumber, type }: Pick<ToldTime, 'rule' | 'archiveNumber' | 'type'>): string {
  return `${rule}/${archiveNumber}/${type}`;
}
