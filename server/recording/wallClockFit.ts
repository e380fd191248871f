// Maps a stream's media times to the gateway's clock. Pure except for its own state.

export interface PictureArrival {
  readonly mediaTimeMs: number;
  /** The gateway's clock. */
  readonly arrivalMs: number;
  readonly isKey: boolean;
  readonly discontinuity: boolean;
}

/** A larger shift means that time has moved: the gateway's clock was set, or the stream paused and continued late. */
export const MAX_SHIFT_MS = 2_000;
/** Clocks of cheap terminals deviate by up to a few hundred ppm. */
const DRIFT_SHARE = 0.000_5;

/**
 * The network makes pictures late, never early, so the smallest recent difference between arrival and media time is the
 * true one. It may grow only as fast as a terminal's clock may drift.
 */
export class WallClockFit {
  #offsetMs: number | undefined;
  #lastArrivalMs = 0;
  /** Smallest difference since the last key frame. If a whole group is late, that isn't jitter. */
  #groupMinimumMs = Number.POSITIVE_INFINITY;

  /**
   * Wall times of the key frames among the pictures, in order. All pictures are noted before the first time is computed,
   * because a cached group arrives in one burst of which only the last picture is on time.
   */
  place(pictures: readonly PictureArrival[]): number[] {
    const placed: number[] = [];
    for (const run of runsOf(pictures)) {
      for (const picture of run) this.#sample(picture);
      for (const { isKey, mediaTimeMs } of run) if (isKey) placed.push(mediaTimeMs + (this.#offsetMs ?? 0));
    }
    return placed;
  }

  #sample({ mediaTimeMs, arrivalMs, isKey, discontinuity }: PictureArrival): void {
    const distanceMs = arrivalMs - mediaTimeMs;
    if (isKey) this.#judgeGroup(distanceMs, discontinuity);
    this.#groupMinimumMs = Math.min(this.#groupMinimumMs, distanceMs);
    const driftedMs = (this.#offsetMs ?? distanceMs) + DRIFT_SHARE * Math.max(0, arrivalMs - this.#lastArrivalMs);
    this.#offsetMs = this.#offsetMs === undefined ? distanceMs : Math.min(driftedMs, distanceMs);
    this.#lastArrivalMs = arrivalMs;
  }

  #judgeGroup(distanceMs: number, discontinuity: boolean): void {
    const offsetMs = this.#offsetMs ?? distanceMs;
    const hasShifted =
      this.#groupMinimumMs !== Number.POSITIVE_INFINITY && this.#groupMinimumMs - offsetMs > MAX_SHIFT_MS;
    const isAnother = discontinuity && Math.abs(distanceMs - offsetMs) > MAX_SHIFT_MS;
    if (isAnother) this.#offsetMs = undefined;
    else if (hasShifted) this.#offsetMs = Math.min(this.#groupMinimumMs, distanceMs);
    this.#groupMinimumMs = Number.POSITIVE_INFINITY;
  }
}

/** Parts within which the media time runs on. */
function runsOf(pictures: readonly PictureArrival[]): PictureArrival[][] {
  const runs: PictureArrival[][] = [];
  for (const picture of pictures) {
    const run = runs.at(-1);
    if (run === undefined || (picture.isKey && picture.discontinuity)) runs.push([picture]);
    else run.push(picture);
  }
  return runs;
}
