// When a unit's turn comes. On a network that delivers evenly, at once; on one that does not, as much later as the lateness
// that has been measured, so that pictures come evenly again. Pure: time is given, nothing is kept but numbers.
import type { MediaUs } from '../../../shared/protocol/time.ts';
import { EarliestOffset } from '../../earliestOffset.ts';
import { HoleWatch } from './holeWatch.ts';

/** A delay beyond this is no live picture any more. */
export const MAX_DELAY_MS = 1_000;
/** Lateness below this is the machine's own noise: holding pictures back for it would cost more than it gives. */
const NOISE_MS = 20;
/** Arrivals that the delay is measured on: some four seconds, since a unit that comes with others counts once. */
const SAMPLES = 100;
/** So many of a hundred may come later than the delay covers. */
const COVERED = 0.96;
/** Units closer together than this came in one delivery: late once, not each. */
const TOGETHER_MS = 4;
/** The delay grows by at most this much a unit, and shrinks by at most this. Both are too little to be seen. */
const GROWTH_MS = 8;
const SHRINKAGE_MS = 3;
/** A jump of the stream's own clock. */
const JUMP_MS = 5_000;

export class PlayoutClock {
  readonly #earliest = new EarliestOffset();
  readonly #holes = new HoleWatch();
  /** The smallest arrival less media time: what a unit without any lateness has. */
  #referenceMs: number | undefined;
  #lastArrivalMs = 0;
  #lastOffsetMs = 0;
  /** In the order that they came in, and by size. */
  readonly #lateness: number[] = [];
  readonly #sorted: number[] = [];
  #delayMs = 0;

  /** How long pictures are held back now. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** What comes next has nothing to do with what came before. What is known of the network stays. */
  restart(): void {
    this.#referenceMs = undefined;
  }

  /** When the picture of that time is to be shown, by the arrivals noted since the last `restart`. */
  showingMs(mediaTimeUs: MediaUs): number {
    return this.#referenceMs === undefined
      ? Number.NEGATIVE_INFINITY
      : mediaTimeUs / 1_000 + this.#referenceMs + this.#delayMs;
  }

  /**
   * Notes a unit that has come and gives the moment of its turn: `nowMs` or later, at most MAX_DELAY_MS. The time is that of the
   * picture that can be shown with it: where pictures are decoded in another order than they are shown in, a unit's own time says
   * nothing of when it was to come.
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

/** What covers nearly all of the lateness seen, given from small to large; nothing while that is only noise. */
function wantedDelayMs(sorted: readonly number[]): number {
  if (sorted.length < SAMPLES / 10) return 0;
  const covered = sorted[Math.floor((sorted.length - 1) * COVERED)] ?? 0;
  return covered <= NOISE_MS ? 0 : Math.min(covered, MAX_DELAY_MS);
}
