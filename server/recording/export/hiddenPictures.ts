// Pictures of a clip that those behind them need and that aren't right. Files can't say that a picture is decoded and not shown, but for
// those before the clip's start. So they are held until one is right, and placed directly before that. Pure.
import type { Picture } from './mp4/mp4Writer.ts';

export type HiddenPicture = Omit<Picture, 'timeUs'>;

/** Two ticks of a clip's time scale. */
const STEP_US = 22;
/** Pictures that are shown before the one that is right and come behind it, at most. */
const MAX_BEHIND = 16;
/** More are shown, as wrong as they are. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

export class HiddenPictures {
  #held: HiddenPicture[] = [];
  #heldBytes = 0;
  /** When the picture is shown that was right first, and how many were placed behind it. */
  #right: { readonly timeUs: number; behind: number } | undefined;

  /** The first of those held. */
  get first(): HiddenPicture | undefined {
    return this.#held[0];
  }

  /** What those held need before the picture that is right; 0 without any. */
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

  /** A picture is right: gives out those held, placed before it. */
  release(timeUs: number): Picture[] {
    const held = this.#held;
    if (held.length > 0) this.#right = { timeUs, behind: 0 };
    this.#held = [];
    this.#heldBytes = 0;
    return held.map((picture, at) => ({ ...picture, timeUs: timeUs - (held.length - at + MAX_BEHIND) * STEP_US }));
  }

  /** Places a picture that comes behind the first that is right, and would have been shown before it. Undefined where there is none. */
  placedBehind(picture: HiddenPicture): Picture | undefined {
    const right = this.#right;
    if (right === undefined || this.#held.length > 0 || right.behind >= MAX_BEHIND) return undefined;
    return { ...picture, timeUs: right.timeUs - (MAX_BEHIND - right.behind++) * STEP_US };
  }
}
