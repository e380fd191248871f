// Tells from the times of a track whether frames are missing between two of them: from the interval that a video packet
// states, or from the step between time stamps where that is constant.

/** Frames in a row that confirm a step or an interval before it is relied on. */
const CONFIRMATIONS = 4;
/** Tolerated deviation of a time stamp, as a share of the step. */
const MAX_JITTER = 0.35;
/** Intervals are whole milliseconds, and terminals round either way. */
const ROUNDING_MS = 2;

export interface FrameTimes {
  readonly timestampMs: number;
  /** Time since the frame before, as the terminal states it; undefined if it doesn't. */
  readonly intervalMs: number | undefined;
}

export class Cadence {
  #lastMs: number | undefined;
  #stepMs = 0;
  #steady = 0;
  /** Frames in a row whose interval was the distance of their stamps. */
  #truthful = 0;

  /** How many frames are missing before this one; undefined where the times do not tell. */
  missingBefore({ timestampMs, intervalMs }: FrameTimes): number | undefined {
    if (this.#lastMs === undefined) return undefined;
    const stepMs = timestampMs - this.#lastMs;
    if (stepMs <= 0) return undefined;
    const steps = stepMs / this.#stepMs;
    const isSteady = this.#steady >= CONFIRMATIONS && Math.abs(steps - Math.round(steps)) <= MAX_JITTER;
    const counted = isSteady ? Math.round(steps) - 1 : undefined;
    if (this.#truthful < CONFIRMATIONS || intervalMs === undefined) return counted === -1 ? undefined : counted;
    if (isNear(stepMs, intervalMs)) return 0;
    return Math.max(1, counted ?? 1);
  }

  /** Takes a frame. `isUndisturbed`: no frame can be missing before it. */
  note({ timestampMs, intervalMs }: FrameTimes, isUndisturbed: boolean): void {
    const stepMs = this.#lastMs === undefined ? 0 : timestampMs - this.#lastMs;
    this.#lastMs = timestampMs;
    if (isUndisturbed) this.#learn(stepMs, intervalMs);
  }

  #learn(stepMs: number, intervalMs: number | undefined): void {
    const isTrue = stepMs > 0 && intervalMs !== undefined && isNear(stepMs, intervalMs);
    this.#truthful = isTrue ? Math.min(this.#truthful + 1, CONFIRMATIONS) : 0;
    if (stepMs > 0 && Math.abs(stepMs - this.#stepMs) <= MAX_JITTER * this.#stepMs) {
      this.#steady = Math.min(this.#steady + 1, CONFIRMATIONS);
      this.#stepMs += (stepMs - this.#stepMs) / 8;
      return;
    }
    this.#steady = 0;
    this.#stepMs = Math.max(stepMs, 0);
  }
}

function isNear(leftMs: number, rightMs: number): boolean {
  return Math.abs(leftMs - rightMs) <= ROUNDING_MS;
}
