// The longest pause of the last hour, by minute.

const MINUTE_MS = 60_000;
const MINUTES = 60;

export class PauseWindow {
  readonly #now: () => number;
  /** Longest pauses by minute since the clock's zero. */
  readonly #longest = new Map<number, number>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  note(pauseMs: number): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    this.#longest.set(minute, Math.max(pauseMs, this.#longest.get(minute) ?? 0));
    this.#forget(minute);
  }

  /** Null: no pause was noted. */
  longestMs(): number | null {
    this.#forget(Math.floor(this.#now() / MINUTE_MS));
    return this.#longest.size === 0 ? null : Math.max(...this.#longest.values());
  }

  #forget(minute: number): void {
    for (const noted of this.#longest.keys()) if (noted <= minute - MINUTES) this.#longest.delete(noted);
  }
}
