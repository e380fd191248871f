import type { ThreadWatch } from '../../faults/threadWatch.ts';
import { PauseWindow } from './pauseWindow.ts';

/** How long a thread was busy without an answer. What it is busy with now counts too: a thread that hangs never answers. */
export class BusyMeter implements ThreadWatch {
  readonly #now: () => number;
  readonly #window: PauseWindow;
  readonly #begunAtMs = new Set<{ readonly atMs: number }>();

  constructor(now: () => number) {
    this.#now = now;
    this.#window = new PauseWindow(now);
  }

  begin(): () => void {
    const begun = { atMs: this.#now() };
    this.#begunAtMs.add(begun);
    return () => {
      if (this.#begunAtMs.delete(begun)) this.#window.note(this.#now() - begun.atMs);
    };
  }

  longestMs(): number | null {
    const noted = this.#window.longestMs();
    // The first that began is the one that has taken longest.
    const [oldest] = this.#begunAtMs;
    return oldest === undefined ? noted : Math.max(noted ?? 0, this.#now() - oldest.atMs);
  }
}
