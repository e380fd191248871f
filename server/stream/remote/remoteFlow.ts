// Detects jumps in a terminal's pictures by their dates. A short seek leaves no mark in the stream's own clock, which
// bridges seconds. Pure.
import type { WallMs } from '../../../shared/protocol/time.ts';
import { PictureSteps } from '../../media/pictureSteps.ts';

/** A B picture's date is less than this before the latest one. */
const MAX_BACK_MS = 1_000;

export class RemoteFlow {
  readonly #steps = new PictureSteps();
  #latest: WallMs | undefined;

  /** Takes the date of the next picture. Whether it is further from the one before than playing explains, either way. */
  jumpsTo(position: WallMs, isKey: boolean): boolean {
    const isBack = this.#latest !== undefined && position < this.#latest - MAX_BACK_MS;
    // At high speed a terminal may send only key frames, whose usual distance isn't a jump.
    const isAhead = this.#steps.next(position, isKey);
    this.#latest = position;
    return isBack || isAhead;
  }
}
