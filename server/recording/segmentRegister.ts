import type { Segment, SegmentStore } from '../store/segments.ts';
import type { SegmentIndex } from './segmentFormat.ts';

export interface SegmentRegisterDeps {
  readonly segments: Pick<SegmentStore, 'add'>;
  readonly onFault: (error: Error) => void;
}

/** A segment with its index, where it was written just now. */
export type UnstoredSegment = Segment & { readonly index?: SegmentIndex };

/** Segments that are whole and not in the database yet. It may be away for hours: their files are safe meanwhile. */
export class SegmentRegister {
  readonly #deps: SegmentRegisterDeps;
  #waiting: UnstoredSegment[] = [];
  #storing: readonly UnstoredSegment[] = [];
  #work: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(deps: SegmentRegisterDeps) {
    this.#deps = deps;
  }

  add(segment: UnstoredSegment): void {
    this.#waiting.push(segment);
  }

  /** Those that a question to the database would miss. */
  unstored(): readonly UnstoredSegment[] {
    return [...this.#storing, ...this.#waiting];
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
    }
  }
}
