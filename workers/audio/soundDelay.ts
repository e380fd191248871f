// How long sound waits for its pictures. Pure: time is given.
import type { MediaUs } from '../../shared/protocol/time.ts';
import { EarliestOffset } from '../earliestOffset.ts';
import type { PictureDelay } from './messages.ts';

/** A jump of the stream's own clock. */
const JUMP_MS = 5_000;
/** Upper bound of the wait for reordering (sixteen pictures of a slow camera). More means that the clocks differ or one of them jumped. */
const MOST_REORDER_MS = 1_500;

export class SoundDelay {
  readonly #earliest = new EarliestOffset();
  #earliestMs: number | undefined;
  #lastOffsetMs = 0;

  /** Notes a frame that has come: the moment in epoch milliseconds. */
  arrived(mediaTimeUs: MediaUs, epochMs: number): void {
    const offsetMs = epochMs - mediaTimeUs / 1_000;
    const hasJumped = Math.abs(offsetMs - this.#lastOffsetMs) > JUMP_MS;
    if (this.#earliestMs === undefined || hasJumped) this.#earliest.begin(epochMs);
    this.#earliestMs = this.#earliest.add(offsetMs, epochMs);
    this.#lastOffsetMs = offsetMs;
  }

  restart(): void {
    this.#earliestMs = undefined;
  }

  /** As long as the network asks; with reordered pictures until the sound's own moment is shown. */
  delayMs({ delayMs, showingOffsetMs }: PictureDelay): number {
    if (this.#earliestMs === undefined || showingOffsetMs === undefined) return delayMs;
    const untilShownMs = showingOffsetMs - this.#earliestMs;
    return untilShownMs > delayMs + MOST_REORDER_MS ? delayMs : Math.max(delayMs, untilShownMs);
  }
}
