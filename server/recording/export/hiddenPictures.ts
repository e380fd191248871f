// Pictures of a clip that aren't right themselves, but that later pictures need. A file can say only of pictures before the clip's start
// that they are decoded and not shown. So such pictures are held until one is right, and placed directly before it. Pure.
import type { Picture } from './mp4/mp4Writer.ts';

export type HiddenPicture = Omit<Picture, 'timeUs'>;

/** Two ticks of a clip's time scale. */
const STEP_US = 22;
/** Maximum number of pictures that follow the first right one in the file and are displayed before it. */
const MAX_BEHIND = 16;
/** Beyond this, pictures are shown although they aren't right. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

export class HiddenPictures {
  #held: HiddenPicture[] = [];
  #heldBytes = 0;
  /** Display time of the first right picture, and how many pictures were placed after it. */
  #right: { readonly timeUs: number; behind: number } | undefined;

  /** The first picture that is held. */
  get first(): HiddenPicture | undefined {
    return this.#held[0];
  }

  /** Time that the held pictures take before the right one; 0 if none is held. */
  get spanUs(): number {
    return this.#held.length === 0 ? 0 : (this.#held.length + MAX_BEHIND + 1) * STEP_US;
  }

  get isFull(): boolean {
    return this.#heldBytes >= MAX_HELD_BYTES;
  }

  hold(picture: HiddenPicture): void {
    this.#held.push(picture);
    this.#heldBytes += picture.bytes.byteLength;
  }

  /** Call when a picture is right: returns the held pictures, placed before it. */
  release(timeUs: number): Picture[] {
    const held = this.#held;
    if (held.length > 0) this.#right = { timeUs, behind: 0 };
    this.#held = [];
    this.#heldBytes = 0;
    return held.map((picture, at) => ({ ...picture, timeUs: timeUs - (held.length - at + MAX_BEHIND) * STEP_US }));
  }

  /** Places a picture that follows the first right one and would have been displayed before it. Undefined if no picture is right yet. */
  placedBehind(picture: HiddenPicture): Picture | undefined {
    const right = this.#right;
    if (right === undefined || this.#held.length > 0 || right.behind >= MAX_BEHIND) return undefined;
    return { ...picture, timeUs: right.timeUs - (MAX_BEHIND - right.behind++) * STEP_US };
  }
}
