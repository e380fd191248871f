// Places for queries of results: one thread reads all results, one query after another, and each query holds its place until then.
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';

/** Pages and charts of reports that are being read. A further one is refused with 429 `too-many-report-pages`. */
export const RESULT_QUESTIONS_LIMIT: Limit = { name: 'reports.questions.process', max: 64 };
/** Pages and charts of reports that one user is reading, in all sessions. A further one is refused with 429 `too-many-report-pages`. */
export const MEMBER_QUESTIONS_LIMIT: Limit = { name: 'reports.questions.member', max: 8 };

const ALL = '';

export class ResultPlaces {
  readonly #all: KeyedCount;
  readonly #ofMembers: KeyedCount;

  constructor(onLimit: OnLimit) {
    this.#all = new KeyedCount(RESULT_QUESTIONS_LIMIT, onLimit);
    this.#ofMembers = new KeyedCount(MEMBER_QUESTIONS_LIMIT, onLimit);
  }

  get taken(): number {
    return this.#all.count(ALL);
  }

  /** Runs the query while it has a place; undefined when none is free. */
  async during<Answer>(userId: number, ask: () => Promise<Answer>): Promise<Answer | undefined> {
    const leaveOwn = this.#ofMembers.enter(String(userId));
    const leave = leaveOwn && this.#all.enter(ALL);
    try {
      return leave && (await ask());
    } finally {
      leave?.();
      leaveOwn?.();
    }
  }
}
