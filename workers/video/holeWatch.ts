// Tells the units that stood behind a single hole from lateness that is the network's way. What a hole held back comes later by its
// length, and then by less and less: at once from a quick network to an idle machine, over seconds otherwise. Pure: time is given.

/** Later by this much than the delay covers: something stood in the way. */
const HOLE_MS = 250;
/** Covered again but for the machine's noise. */
const CAUGHT_UP_MS = 20;
/** What has not caught up by then does not come out of a hole: the way has become longer. */
const LONGEST_MS = 2_000;
/** A hole this soon after the one before is what the network is like. */
const APART_MS = 10_000;

export class HoleWatch {
  #hole: { readonly beganMs: number; readonly isSingle: boolean } | undefined;
  #lastEndedMs = Number.NEGATIVE_INFINITY;

  /** Whether a unit that comes now, so much later than the delay covers (negative: in time), is late by a single hole. */
  holdsBack(excessMs: number, nowMs: number): boolean {
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
