// Decoded pictures of a playback session that wait for their moment. Owns them until they are taken.
import type { MediaUs } from '../../../shared/protocol/time.ts';
import type { FrameTimes } from '../decode/streamDecoder.ts';
import type { HeldFrame } from '../paint/frameSlot.ts';

export class SessionFrames {
  /** What went into the decoder since the last jump: what else comes out is of the time before. */
  readonly #awaited = new Set<MediaUs>();
  #held: HeldFrame[] = [];

  get count(): number {
    return this.#held.length;
  }

  get isAwaiting(): boolean {
    return this.#awaited.size > 0;
  }

  get times(): MediaUs[] {
    return this.#held.map(({ times }) => times.mediaTimeUs);
  }

  await(mediaTimeUs: MediaUs): void {
    this.#awaited.add(mediaTimeUs);
  }

  forget(mediaTimeUs: MediaUs): void {
    this.#awaited.delete(mediaTimeUs);
  }

  isAwaitedAfter(mediaTimeUs: MediaUs, isDue: (mediaTimeUs: MediaUs) => boolean): boolean {
    return [...this.#awaited].some((other) => other > mediaTimeUs && isDue(other));
  }

  /** Takes the frame over. False when nobody waits for it; it is closed then. */
  put(frame: VideoFrame, times: FrameTimes): boolean {
    if (!this.#awaited.has(times.mediaTimeUs)) {
      frame.close();
      return false;
    }
    // Pictures come out in their order: the decoder has dropped what is older.
    for (const awaited of this.#awaited) if (awaited <= times.mediaTimeUs) this.#awaited.delete(awaited);
    this.#held.push({ frame, times });
    return true;
  }

  /** The newest picture whose moment has come. */
  newest(isDue: (mediaTimeUs: MediaUs) => boolean): HeldFrame | undefined {
    return this.#held.findLast(({ times }) => isDue(times.mediaTimeUs));
  }

  /** Closes the pictures before this one: their moment has gone. */
  dropBefore(chosen: HeldFrame): void {
    const at = this.#held.indexOf(chosen);
    for (const { frame } of this.#held.splice(0, at)) frame.close();
  }

  /** Gives a picture out, to be closed by whoever takes it. */
  take(chosen: HeldFrame): HeldFrame {
    this.#held.splice(this.#held.indexOf(chosen), 1);
    return chosen;
  }

  /** Safe to call twice. */
  clear(): void {
    for (const { frame } of this.#held) frame.close();
    this.#held = [];
    this.#awaited.clear();
  }
}
