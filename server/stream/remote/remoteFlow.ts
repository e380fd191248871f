// Whether a terminal's pictures go on from one another. A short way elsewhere in a recording leaves no mark in the stream's own
// clock, which bridges seconds; the dates of its pictures show it. Pure.
import type { WallMs } from '../../../shared/protocol/time.ts';
import { PictureSteps } from '../../media/pictureSteps.ts';

/** A B picture is dated before the latest one by less. */
const MAX_BACK_MS = 1_000;

export class RemoteFlow {
  readonly #steps = new PictureSteps();
  #latest: WallMs | undefined;

  /** Takes the date of the next picture. Whether it is further from the one before than playing explains, either way. */
  jumpsTo(position: WallMs, isKey: boolean): boolean {
    const isBack = this.#latest !== undefined && position < this.#latest - MAX_BACK_MS;
    // A terminal that plays fast may send key frames alone: their usual distance is no jump.
    const isAhead = this.#steps.next(position, isKey);
    this.#latest = position;
    return isBack || isAhead;
  }
}
