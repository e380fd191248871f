// Decides when a unit is due: at once on a network that delivers evenly, otherwise delayed by the measured jitter, so that
// pictures come evenly again. Encoded units are what waits: a decoder lends out some ten pictures and then stops.
// Pure: time is given, and only numbers are kept.
import type { MediaUs } from '../../../shared/protocol/time.ts';
import { EarliestOffset } from '../../earliestOffset.ts';
import { HoleWatch } from './holeWatch.ts';

/** With a longer delay the picture is no longer live. */
export const MAX_DELAY_MS = 1_000;
/** Jitter below this comes from the machine itself, and smoothing it would cost more delay than it is worth. */
const NOISE_MS = 20;
/** Number of arrivals measured: some four seconds, because units that arrive together count once. */
const SAMPLES = 100;
/** Share of arrivals that the delay covers. */
const COVERED = 0.96;
/** Units closer together than this were delivered together, and their lateness counts once. */
const TOGETHER_MS = 4;
/** Most that the delay grows or shrinks per unit. Neither is visible. */
const GROWTH_MS = 8;
const SHRINKAGE_MS = 3;
/** A jump of the stream's own clock. */
const JUMP_MS = 5_000;

export class PlayoutClock {
  readonly #earliest = new EarliestOffset();
  readonly #holes = new HoleWatch();
  /** Smallest difference between arrival and media time: that of a unit without any delay. */
  #referenceMs: number | undefined;
  #lastArrivalMs = 0;
  #lastOffsetMs = 0;
  /** The latest values in the order that they came in, and by size. */
  readonly #lateness: number[] = [];
  readonly #sorted: number[] = [];
  #delayMs = 0;

  /** How long pictures are held back now. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** What follows is unrelated to what came before. The measured jitter is kept. */
  restart(): void {
    this.#referenceMs = undefined;
  }

  /** When the picture of a media time is shown, by the arrivals noted since the last `restart`. */
  showingMs(mediaTimeUs: MediaUs): number {
    return this.#referenceMs === undefined
      ? Number.NEGATIVE_INFINITY
      : mediaTimeUs / 1_000 + this.#referenceMs + this.#delayMs;
  }

  /**
   * Notes the arrival of a unit and returns when it is due: `nowMs` or later, by at most MAX_DELAY_MS. `mediaTimeUs` is
   * that of the picture that can be shown once the unit is decoded, because with reordering a unit's own time says nothing
   * about when it should arrive.
   */
  arrived(mediaTimeUs: MediaUs, nowMs: number): number {
    const offsetMs = nowMs - mediaTimeUs / 1_000;
    if (this.#referenceMs === undefined || Math.abs(offsetMs - this.#lastOffsetMs) > JUMP_MS) {
      this.#earliest.begin(nowMs);
      this.#lastArrivalMs = nowMs;
    }
    const sinceLastMs = nowMs - this.#lastArrivalMs;
    this.#referenceMs = this.#earliest.add(offsetMs, nowMs);
    const latenessMs = offsetMs - this.#referenceMs;
    const isBehindHole = this.#holes.isBehindSingleHole(latenessMs - this.#delayMs, nowMs);
    const isOwn = sinceLastMs > TOGETHER_MS || this.#lateness.length === 0;
    if (isOwn && !isBehindHole) this.#note(latenessMs);
    this.#lastArrivalMs = nowMs;
    this.#lastOffsetMs = offsetMs;
    this.#steer();
    return nowMs + Math.max(0, this.#delayMs - latenessMs);
  }

  #note(latenessMs: number): void {
    this.#lateness.push(latenessMs);
    this.#sorted.splice(indexAtOrAbove(this.#sorted, latenessMs), 0, latenessMs);
    if (this.#lateness.length <= SAMPLES) return;
    const oldest = this.#lateness.shift() ?? 0;
    this.#sorted.splice(indexAtOrAbove(this.#sorted, oldest), 1);
  }

  #steer(): void {
    const wanted = wantedDelayMs(this.#sorted);
    if (wanted > this.#delayMs) this.#delayMs = Math.min(this.#delayMs + GROWTH_MS, wanted);
    else this.#delayMs = Math.max(this.#delayMs - SHRINKAGE_MS, wanted);
  }
}

/** Where the first number is that is not below the value. */
function indexAtOrAbove(sorted: readonly number[], value: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The delay that covers nearly all of the lateness, given in ascending order; 0 if that is only noise. */
function wantedDelayMs(sorted: readonly number[]): number {
  if (sorted.length < SAMPLES / 10) return 0;
  const covered = sorted[Math.floor((sorted.length - 1) * COVERED)] ?? 0;
  return covered <= NOISE_MS ? 0 : Math.min(covered, MAX_DELAY_MS);
}
