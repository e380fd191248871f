// Gathers the pictures shown, one by one, for tests and measurements.
import type { ShownPicture } from '../messages.ts';

export interface PictureTraceDeps {
  /** Runs something with the next animation frame; gives that frame's moment in epoch milliseconds. */
  readonly onNextFrame: (run: (at: number) => void) => void;
}

/** A worker out of sight may get no animation frames: a picture is not kept back longer than this for one. */
const MAX_WAIT_MS = 100;

export class PictureTrace {
  readonly #deps: PictureTraceDeps;
  #pictures: ShownPicture[] = [];
  /** How many of the pictures, from the oldest on, have been given to the compositor. */
  #committed = 0;
  #isWaiting = false;

  constructor(deps: PictureTraceDeps) {
    this.#deps = deps;
  }

  add(picture: ShownPicture): void {
    this.#pictures.push(picture);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#deps.onNextFrame((at) => this.#commit(at));
  }

  /** Pictures wait for their moment: the caller must come again to take them, even if none follows. */
  get isHolding(): boolean {
    return this.#pictures.length > 0;
  }

  /** Takes out what is committed, and what has waited too long to be. */
  take(nowAt: number): ShownPicture[] {
    let count = this.#committed;
    while (count < this.#pictures.length && nowAt - (this.#pictures[count]?.at ?? nowAt) > MAX_WAIT_MS) count++;
    this.#committed = 0;
    return this.#pictures.splice(0, count);
  }

  #commit(at: number): void {
    this.#isWaiting = false;
    for (let index = this.#committed; index < this.#pictures.length; index++) {
      const picture = this.#pictures[index];
      if (picture !== undefined) this.#pictures[index] = { ...picture, committedAt: at };
    }
    this.#committed = this.#pictures.length;
  }
}
