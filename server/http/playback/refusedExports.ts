// Why exports were not begun, by the name that their page gave them. The answer itself goes to the browser's download, which
// tells the page nothing of it; the page asks for the export's progress and gets the reason there.
import type { Refusal } from '../envelope.ts';

/** A page asks within seconds. Names come from outside, so what is kept of them is bounded. */
const MOST_KEPT = 200;

export class RefusedExports {
  readonly #refusals = new Map<string, Refusal>();

  note(owner: string, name: string | undefined, refusal: Refusal): void {
    if (name === undefined) return;
    this.#refusals.set(keyOf(owner, name), refusal);
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size > MOST_KEPT && oldest !== undefined) this.#refusals.delete(oldest);
  }

  find(owner: string, name: string): Refusal | undefined {
    return this.#refusals.get(keyOf(owner, name));
  }
}

function keyOf(owner: string, name: string): string {
  return JSON.stringify([owner, name]);
}
