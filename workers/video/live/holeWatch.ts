// Tells lateness that a single hole of the network caused from the network's usual lateness. The first unit behind a hole is late by
// the hole's length, those that follow by less and less until the present is reached. Pure: time is given.

/** A unit that is later than the delay covers by more than this comes behind a hole. */
const HOLE_MS = 250;
/** Within this of what the delay covers, the stream has caught up: the rest is the machine's own noise. */
const CAUGHT_UP_MS = 20;
/** Lateness that lasts longer is no hole: the network has become slower. */
const LONGEST_MS = 2_000;
/** A hole that begins within this of the end of the one before is not single: the network has them often. */
const APART_MS = 10_000;

export class HoleWatch {
  #hole: { readonly beganMs: number; readonly isSingle: boolean } | undefined;
  #lastEndedMs = Number.NEGATIVE_INFINITY;

  /** Whether a unit that comes now is late because of a single hole. `excessMs`: how much later than the delay covers; negative in time. */
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
