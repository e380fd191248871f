// How long sound waits for its pictures. Pure: time is given.
import type { MediaUs } from '../../shared/protocol/time.ts';
import { EarliestOffset } from '../earliestOffset.ts';
import type { PictureDelay } from './messages.ts';

/** A jump of the stream's own clock. */
const JUMP_MS = 5_000;
/** Upper bound of the wait for reordering (sixteen pictures of a slow camera). More means that the clocks differ or one of them jumped. */
const MOST_REORDER_MS = 1_500;

/** Delay beyond the jitter of single frames: the sound's clock was set back, or its network path has become slower. */
const RISE_MS = 300;
/** Frames delayed together arrive together. Late frames spread over this time are no such burst. */
const RISEN_FRAMES = 5;
const RISEN_FOR_MS = 400;

interface Rise {
  readonly sinceMs: number;
  readonly frames: number;
}

export class SoundDelay {
  readonly #earliest = new EarliestOffset();
  #earliestMs: number | undefined;
  #lastOffsetMs = 0;
  /** The frames since the last one that came in time. */
  #rise: Rise | undefined;

  /** Notes the arrival of a frame: the time in epoch milliseconds, and whether the frame is marked as following a gap. */
  arrived(mediaTimeUs: MediaUs, epochMs: number, discontinuity = false): void {
    const offsetMs = epochMs - mediaTimeUs / 1_000;
    if (this.#isNew(offsetMs, epochMs, discontinuity)) {
      this.#earliest.begin(epochMs);
      this.#rise = undefined;
    }
    this.#earliestMs = this.#earliest.add(offsetMs, epochMs);
    this.#lastOffsetMs = offsetMs;
  }

  #isNew(offsetMs: number, epochMs: number, discontinuity: boolean): boolean {
    if (this.#earliestMs === undefined || Math.abs(offsetMs - this.#lastOffsetMs) > JUMP_MS) return true;
    if (offsetMs - this.#earliestMs <= RISE_MS) {
      this.#rise = undefined;
      return false;
    }
    const { sinceMs, frames } = this.#rise ?? { sinceMs: epochMs, frames: 0 };
    this.#rise = { sinceMs, frames: frames + 1 };
    return discontinuity || (frames + 1 >= RISEN_FRAMES && epochMs - sinceMs >= RISEN_FOR_MS);
  }

  restart(): void {
    this.#earliestMs = undefined;
    this.#rise = undefined;
  }

  /** As long as the network requires; with reordered pictures, until the picture of the same time is shown. */
  delayMs({ delayMs, showingOffsetMs }: PictureDelay): number {
    if (this.#earliestMs === undefined || showingOffsetMs === undefined) return delayMs;
    const untilShownMs = showingOffsetMs - this.#earliestMs;
    return untilShownMs > delayMs + MOST_REORDER_MS ? delayMs : Math.max(delayMs, untilShownMs);
  }
}
