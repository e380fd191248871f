// The earliest arrival of a stream's data relative to its media time, over the last seconds. Pure: time is given.

/**
 * The earliest arrival counts for one to two of these stretches. A clock that is 0.1 % off moves by at most 10 ms in that
 * time.
 */
const STRETCH_MS = 5_000;

export class EarliestOffset {
  /** Minimum of the current stretch, and of the one before. */
  #earliestMs = Number.POSITIVE_INFINITY;
  #earlierMs = Number.POSITIVE_INFINITY;
  #stretchEndsMs = Number.NEGATIVE_INFINITY;

  /** What follows is unrelated to what came before. */
  begin(nowMs: number): void {
    this.#earliestMs = Number.POSITIVE_INFINITY;
    this.#earlierMs = Number.POSITIVE_INFINITY;
    this.#stretchEndsMs = nowMs + STRETCH_MS;
  }

  /** Adds an arrival and returns the earliest. */
  add(offsetMs: number, nowMs: number): number {
    if (nowMs >= this.#stretchEndsMs) {
      this.#stretchEndsMs = nowMs + STRETCH_MS;
      this.#earlierMs = this.#earliestMs;
      this.#earliestMs = offsetMs;
    }
    this.#earliestMs = Math.min(this.#earliestMs, offsetMs);
    return Math.min(this.#earliestMs, this.#earlierMs);
  }
}
