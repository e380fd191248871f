// Detects missing pictures by their times, independently of packet numbers: terminals may drop pictures before numbering
// them, and some don't number at all. Pure.

/** Time stamps deviate by up to an interval, and the player bridges less than a second silently. */
const MIN_HOLE_MS = 1_000;
const HOLE_INTERVALS = 1.5;
/** Number of steps whose median is the usual interval: one gap among them doesn't move it. */
const STEPS = 9;

export class PictureSteps {
  readonly #steps: number[] = [];
  #at = 0;
  #latestMs: number | undefined;

  /**
   * Takes the next picture in decoding order. Returns whether pictures are missing before it: the step exceeds the usual
   * interval by more than a second and by more than one and a half intervals. One rule fits streams of 30 pictures a second
   * and of one key frame a minute. Before the first step there is no usual interval.
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
