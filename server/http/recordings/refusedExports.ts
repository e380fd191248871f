// Why exports were not begun, by the name that their page gave them. The answer itself goes to the browser's download, which
// tells the page nothing of it; the page asks for the export's progress and gets the reason there.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import type { Refusal } from '../kernel/envelope.ts';

/** Refused exports of which a page can ask the reason, which it does within seconds. The oldest is forgotten. */
export const REFUSALS_LIMIT: Limit = { name: 'exports.refusals.process', max: 200 };

export class RefusedExports {
  readonly #onLimit: OnLimit;
  readonly #refusals = new RecentMap<Refusal>(REFUSALS_LIMIT.max);

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  note(owner: string, name: string | undefined, refusal: Refusal): void {
    if (name === undefined) return;
    if (this.#refusals.set(keyOf(owner, name), refusal) !== undefined) this.#onLimit(REFUSALS_LIMIT);
  }

  find(owner: string, name: string): Refusal | undefined {
    return this.#refusals.get(keyOf(owner, name));
  }
}

function keyOf(owner: string, name: string): string {
  return JSON.stringify([owner, name]);
}
