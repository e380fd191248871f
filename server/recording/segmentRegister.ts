import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Segment, SegmentStore } from '../store/recordings/segments.ts';

export interface SegmentRegisterDeps {
  readonly segments: Pick<SegmentStore, 'add'>;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
  readonly limit?: Limit | undefined;
}

/**
 * Segments on the disk that are not in the database because it is away: four hours of two hundred cameras, some 12 MB. The oldest are
 * forgotten, and can't be found until the database is back: then they are found by their files.
 */
export const UNSTORED_SEGMENTS_LIMIT: Limit = { name: 'recordings.unstored-segments.process', max: 50_000 };
/** Share dropped at the limit. Dropping one at a time would move all others each time. */
const FORGOTTEN_SHARE = 0.02;

/**
 * Complete segments that the database doesn't have yet. It may be unavailable for hours. Their files are safe meanwhile;
 * beyond the limit the oldest entries are dropped here, and the owner of the files has to find these again.
 */
export class SegmentRegister {
  readonly #deps: SegmentRegisterDeps;
  readonly #limit: Limit;
  #waiting: Segment[] = [];
  #storing: readonly Segment[] = [];
  #work: Promise<void> = Promise.resolve();
  #isAway = false;
  #hasForgotten = false;

  constructor(deps: SegmentRegisterDeps) {
    this.#deps = deps;
    this.#limit = deps.limit ?? UNSTORED_SEGMENTS_LIMIT;
  }

  add(segment: Segment): void {
    this.#waiting.push(segment);
    this.#forgetOldest();
  }

  get size(): number {
    return this.#storing.length + this.#waiting.length;
  }

  /** Whether entries were dropped, so that complete segments exist that neither this register nor the database has. */
  get hasForgotten(): boolean {
    return this.#hasForgotten;
  }

  /** Cleared when a search of the files for dropped entries starts, and set again if it failed. */
  set hasForgotten(has: boolean) {
    this.#hasForgotten = has;
  }

  /** Segments that a database query would miss. */
  unstored(isWanted: (segment: Segment) => boolean): Segment[] {
    return [...this.#storing.filter(isWanted), ...this.#waiting.filter(isWanted)];
  }

  /** Stores what waits; what the database does not take stays for the next time. */
  store(): Promise<void> {
    this.#work = this.#work.then(() => this.#store());
    return this.#work;
  }

  async #store(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#storing = this.#waiting;
    this.#waiting = [];
    try {
      await this.#deps.segments.add(this.#storing);
      this.#isAway = false;
    } catch (error) {
      this.#waiting = [...this.#storing, ...this.#waiting];
      if (!this.#isAway) this.#deps.onFault(new Error('segments could not be stored yet', { cause: error }));
      this.#isAway = true;
    } finally {
      this.#storing = [];
      this.#forgetOldest();
    }
  }

  #forgetOldest(): void {
    const tooMany = this.#waiting.length - this.#limit.max;
    if (tooMany <= 0) return;
    this.#waiting.splice(0, tooMany + Math.floor(this.#limit.max * FORGOTTEN_SHARE));
    this.#hasForgotten = true;
    this.#deps.onLimit?.(this.#limit);
  }
}
