// Decoded pictures of a playback session that wait for their moment. Owns them until they are taken.
import type { MediaUs } from '../../../shared/protocol/time.ts';
import type { FrameTimes } from '../decode/streamDecoder.ts';
import type { HeldFrame } from '../paint/frameSlot.ts';

export class SessionFrames {
  /** Pictures that went into the decoder since the last jump; any others that come out are from the time before. */
  readonly #awaited = new Set<MediaUs>();
  /** In the order of their times. */
  #held: HeldFrame[] = [];
  /** The first and the last picture after the one shown last that did not come out of the decoder, never went into it, or was dropped. */
  #lost: { readonly fromUs: number; readonly untilUs: number } | undefined;

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

  /** Notes that this picture will not be shown. */
  lose(mediaTimeUs: MediaUs): void {
    this.#awaited.delete(mediaTimeUs);
    const { fromUs, untilUs } = this.#lost ?? { fromUs: mediaTimeUs, untilUs: mediaTimeUs };
    this.#lost = { fromUs: Math.min(fromUs, mediaTimeUs), untilUs: Math.max(untilUs, mediaTimeUs) };
  }

  /** Whether a picture was lost that would be shown after one moment and by another. */
  hasLost(afterUs: number, byUs: number): boolean {
    return this.#lost !== undefined && this.#lost.untilUs > afterUs && this.#lost.fromUs <= byUs;
  }

  isAwaitedAfter(mediaTimeUs: MediaUs, isDue: (mediaTimeUs: MediaUs) => boolean): boolean {
    return [...this.#awaited].some((other) => other > mediaTimeUs && isDue(other));
  }

  /** Takes the frame over. False when it isn't awaited or is before the picture shown last; it is closed then. */
  put(frame: VideoFrame, times: FrameTimes, shownUs: MediaUs): boolean {
    const isAwaited = this.#awaited.delete(times.mediaTimeUs);
    // Pictures come out in their order: the decoder has dropped what is older.
    if (isAwaited) for (const awaited of this.#awaited) if (awaited <= times.mediaTimeUs) this.lose(awaited);
    if (!isAwaited || times.mediaTimeUs < shownUs) {
      frame.close();
      return false;
    }
    // A picture that is decoded after a drain comes out after a reference that is shown later.
    const at = this.#held.findLastIndex((other) => other.times.mediaTimeUs < times.mediaTimeUs) + 1;
    this.#held.splice(at, 0, { frame, times });
    return true;
  }

  /** The newest picture whose moment has come. */
  newest(isDue: (mediaTimeUs: MediaUs) => boolean): HeldFrame | undefined {
    return this.#held.findLast(({ times }) => isDue(times.mediaTimeUs));
  }

  /** Closes the pictures before this one: their moment has gone. */
  dropBefore(chosen: HeldFrame): void {
    const at = this.#held.indexOf(chosen);
    for (const { frame, times } of this.#held.splice(0, at)) {
      frame.close();
      this.lose(times.mediaTimeUs);
    }
  }

  /** Gives a picture out, to be shown and closed by whoever takes it. */
  take(chosen: HeldFrame): HeldFrame {
    this.#held.splice(this.#held.indexOf(chosen), 1);
    const { mediaTimeUs } = chosen.times;
    const lost = this.#lost;
    const isLater = lost !== undefined && lost.untilUs > mediaTimeUs;
    this.#lost = isLater ? { ...lost, fromUs: Math.max(lost.fromUs, mediaTimeUs) } : undefined;
    return chosen;
  }

  /** Safe to call twice. */
  clear(): void {
    for (const { frame } of this.#held) frame.close();
    this.#held = [];
    this.#awaited.clear();
    this.#lost = undefined;
  }
}
