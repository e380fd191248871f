// Distinguishes the lateness caused by a single network stall from usual jitter. The first unit after a stall is late by
// the length of the stall, and those after it by less and less. Pure: time is given.

/** A unit this much later than the delay covers follows a stall. */
const HOLE_MS = 250;
/** Within this margin the stream has caught up; the rest is the machine's own noise. */
const CAUGHT_UP_MS = 20;
/** Longer lateness isn't a stall: the network has become slower. */
const LONGEST_MS = 2_000;
/** A stall this soon after another one isn't single: the network has them often. */
const APART_MS = 10_000;

export class HoleWatch {
  #hole: { readonly beganMs: number; readonly isSingle: boolean } | undefined;
  #lastEndedMs = Number.NEGATIVE_INFINITY;

  /** Whether a unit is late because of a single stall. `excessMs`: lateness beyond what the delay covers; negative if on time. */
  isBehindSingleHole(excessMs: number, nowMs: number): boolean {
    if (this.#hole !== undefined && excessMs <= CAUGHT_UP_MS) {
      this.#hole = undefined;
      this.#lastEndedMs = nowMs;
    }
    if (this.#hole === undefined && excessMs > HOLE_MS) {
      this.#hole = { beganMs: nowMs, isSingle: nowMs - this.#lastEndedMs > APART_MS };
    }
    return this.#hole?.isSingle === true && nowMs - this.#hole.beganMs <= LONGEST_MS;
  }
}
