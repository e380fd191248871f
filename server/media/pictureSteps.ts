// The times of a stream's pictures, as a second witness of what is missing: terminals drop pictures before they number them, and
// some do not number at all. Pure.

/** Terminals stamp a picture early or late by up to an interval; the player bridges less than a second without a word. */
const MIN_HOLE_MS = 1_000;
const HOLE_INTERVALS = 1.5;
/** Of steps whose middle one is the usual interval: one hole among them does not move it. */
const STEPS = 9;

export class PictureSteps {
  readonly #steps: number[] = [];
  #at = 0;
  #latestMs: number | undefined;

  /**
   * Takes the next picture in decoding order. Whether pictures are missing between it and the latest one before: the step is
   * longer than the usual interval by more than a second and by more than one and a half of them. Streams of 30 pictures a
   * second and of one key frame a minute are judged by the same rule; before the first step nothing is usual.
   */
  next(mediaTimeMs: number, isKey: boolean): boolean {
    const isHole = this.isBehindHole(mediaTimeMs);
    const stepMs = this.#latestMs === undefined ? 0 : mediaTimeMs - this.#latestMs;
    if (stepMs > 0) {
      this.#steps[this.#at] = stepMs;
      this.#at = (this.#at + 1) % STEPS;
    }
    // A B picture is shown before the latest one; a key frame that is belongs to a stream that began anew.
    if (stepMs >= 0 || isKey) this.#latestMs = mediaTimeMs;
    return isHole;
  }

  /** The same without taking the picture. */
  isBehindHole(mediaTimeMs: number): boolean {
    const stepMs = this.#latestMs === undefined ? 0 : mediaTimeMs - this.#latestMs;
    return stepMs > MIN_HOLE_MS && this.#isLongerThanUsual(stepMs);
  }

  #isLongerThanUsual(stepMs: number): boolean {
    if (this.#steps.length === 0) return false;
    const sorted = [...this.#steps].sort((left, right) => left - right);
    const usualMs = sorted[sorted.length >> 1] ?? 0;
    return stepMs - usualMs > Math.max(MIN_HOLE_MS, HOLE_INTERVALS * usualMs);
  }
}
