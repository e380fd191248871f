// How early the earliest of a stream's arrivals is: its moment less its media time. Pure: time is given.

/** The earliest arrival counts for one to two of these: a clock that is 0.1 % off moves by 10 ms at most meanwhile. */
const STRETCH_MS = 5_000;

export class EarliestOffset {
  /** Of the stretch of time that runs, and of the one before. */
  #earliestMs = Number.POSITIVE_INFINITY;
  #earlierMs = Number.POSITIVE_INFINITY;
  #stretchEndsMs = Number.NEGATIVE_INFINITY;

  /** What comes next has nothing to do with what came before. */
  begin(nowMs: number): void {
    this.#earliestMs = Number.POSITIVE_INFINITY;
    this.#earlierMs = Number.POSITIVE_INFINITY;
    this.#stretchEndsMs = nowMs + STRETCH_MS;
  }

  /** Gives the earliest, with the new one in it. */
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
