import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Segment, SegmentStore } from '../store/recordings/segments.ts';

export interface SegmentRegisterDeps {
  readonly segments: Pick<SegmentStore, 'add'>;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
  readonly limit?: Limit | undefined;
}

/** Four hours of two hundred cameras, some 12 MB. */
export const UNSTORED_SEGMENTS_LIMIT: Limit = { name: 'recordings.unstored-segments.process', max: 50_000 };
/** One by one would move all the others each time. */
const FORGOTTEN_SHARE = 0.02;

/**
 * Segments that are whole and not in the database yet. It may be away for hours: their files are safe meanwhile, and the oldest
 * are forgotten here where they are too many. Whoever owns the files finds those again.
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

  /** Whether there are whole segments that neither the database knows nor this. */
  get hasForgotten(): boolean {
    return this.#hasForgotten;
  }

  /** What was forgotten is looked for among the files; or was in vain. */
  set hasForgotten(has: boolean) {
    this.#hasForgotten = has;
  }

  /** Those that a question to the database would miss. */
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
