import type { FrameTimes } from '../decode/streamDecoder.ts';

export interface HeldFrame {
  readonly frame: VideoFrame;
  readonly times: FrameTimes;
}

/** Keeps one picture. Owns it: a newer one closes it, and whoever takes it out becomes its owner. */
export class FrameSlot {
  #held: HeldFrame | undefined;

  put(held: HeldFrame): void {
    this.close();
    this.#held = held;
  }

  /** Stays the slot's; not to be kept beyond the moment. */
  get held(): HeldFrame | undefined {
    return this.#held;
  }

  take(): HeldFrame | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /** Safe to call twice. */
  close(): void {
    this.take()?.frame.close();
  }
}
