// Lays a stream's media time onto the gateway's clock. Pure but for its own memory.

export interface PictureArrival {
  readonly mediaTimeMs: number;
  /** The gateway's clock. */
  readonly arrivalMs: number;
  readonly isKey: boolean;
  readonly discontinuity: boolean;
}

/** Past this a stream's time has moved: the gateway's clock was set, or the stream stood still and went on late. */
export const MAX_SHIFT_MS = 2_000;
/** Clocks of cheap terminals run up to a few hundred millionths fast or slow. */
const DRIFT_SHARE = 0.000_5;

/**
 * Pictures arrive late by what the network adds, never early: the smallest distance of late between arrival and media
 * time is the true one. It is let to grow as fast as a terminal's clock may drift, and no faster.
 */
export class WallClockFit {
  #offsetMs: number | undefined;
  #lastArrivalMs = 0;
  /** Smallest distance since the last key frame: a whole group that came late is no jitter. */
  #groupMinimumMs = Number.POSITIVE_INFINITY;

  /**
   * Wall times of the key frames among the pictures, in their order; all of them are known before the first is placed,
   * since a group that was cached comes in one burst and only its last picture is on time.
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
