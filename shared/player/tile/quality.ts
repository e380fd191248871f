// Chooses between main and sub stream when the viewer hasn't. Pure.
import type { PixelSize } from '../../../workers/video/messages.ts';

export type StreamQuality = 'main' | 'sub';
export type QualityChoice = 'auto' | StreamQuality;

/** The main stream's address has no parameter, as addresses had before there was a choice. */
export function withQuality(url: string, quality: StreamQuality): string {
  const rest = url.replace(/([?&])quality=[^&#]*&?/, '$1').replace(/[?&]$/, '');
  return quality === 'main' ? rest : `${rest}${rest.includes('?') ? '&' : '?'}quality=sub`;
}

export function qualityOf(url: string): StreamQuality {
  return new URL(url, 'ws://localhost').searchParams.get('quality') === 'sub' ? 'sub' : 'main';
}

export interface QualitySample {
  readonly nowMs: number;
  readonly running: StreamQuality;
  /** Size of the current picture. */
  readonly picture: PixelSize | undefined;
  readonly box: PixelSize;
  /** How long pictures are delayed to even out network jitter. */
  readonly delayMs: number;
  /** Groups that the gateway dropped since the stream was opened. */
  readonly gaps: number;
}

/** From this ratio of the main stream's lines to the tile's, the sub stream is used: the difference isn't visible. */
const SMALL_FROM = 4;
/** Below this ratio the main stream is used again. The distance prevents switching back and forth while a tile is resized. */
const SMALL_UNTIL = 2.5;
const STEADY_MS = 4_000;
/** The request for the main stream has to last only this long: a tile that was enlarged is being looked at. */
const GROWN_MS = 500;
/** Signs that the network is too slow for the stream: dropped groups, or long delays. */
const GAPS_IN_MS = 20_000;
const MOST_GAPS = 2;
const HELD_BACK_MS = 400;
const HELD_BACK_FOR_MS = 5_000;
/** After such a sign the main stream isn't used for a minute, doubling each time. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 900_000;

export class AutoQuality {
  #mainPicture: PixelSize | undefined;
  #gapsSeen = 0;
  #gapTimes: number[] = [];
  #heldBackSinceMs: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #noMainBeforeMs = Number.NEGATIVE_INFINITY;
  #noSubBeforeMs = Number.NEGATIVE_INFINITY;
  #requested: { readonly quality: StreamQuality; readonly sinceMs: number } | undefined;

  /** The quality to play now. Called repeatedly with current measurements. */
  choose(sample: QualitySample): StreamQuality {
    const { running, nowMs } = sample;
    if (running === 'main') this.#mainPicture = sample.picture ?? this.#mainPicture;
    const isInTrouble = running === 'main' && this.#notesTrouble(sample);
    if (isInTrouble && this.#noSubBeforeMs <= nowMs) {
      this.#noMainBeforeMs = nowMs + this.#pauseMs;
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      return 'sub';
    }
    const quality = this.#fitting(sample);
    if (this.#requested?.quality !== quality) this.#requested = { quality, sinceMs: nowMs };
    const steadyMs = quality === 'sub' ? STEADY_MS : GROWN_MS;
    return nowMs - this.#requested.sinceMs >= steadyMs ? quality : running;
  }

  /** A stream of that quality gave no picture, so it isn't tried again soon. */
  failed(quality: StreamQuality, nowMs: number): void {
    if (quality === 'sub') this.#noSubBeforeMs = nowMs + LONGEST_PAUSE_MS;
    else this.#noMainBeforeMs = Math.max(this.#noMainBeforeMs, nowMs + FIRST_PAUSE_MS);
  }

  /**
   * The quality to try when the browser can't decode the current stream. A main stream that can't be decoded isn't tried
   * again.
   */
  instead(running: StreamQuality, nowMs: number): StreamQuality {
    if (running === 'sub' || this.#noSubBeforeMs > nowMs) return running;
    this.#noMainBeforeMs = Number.POSITIVE_INFINITY;
    return 'sub';
  }

  /** `gaps`: counted so far. A new stream counts from zero, one that reconnects goes on counting: neither has had trouble yet. */
  restarted(gaps = 0): void {
    this.#gapsSeen = gaps;
    this.#gapTimes = [];
    this.#heldBackSinceMs = undefined;
    this.#requested = undefined;
  }

  #fitting({ running, box, nowMs }: QualitySample): StreamQuality {
    const excess = this.#mainPicture === undefined ? 1 : excessOf(this.#mainPicture, box);
    const isSmall = excess >= (running === 'main' ? SMALL_FROM : SMALL_UNTIL);
    if (isSmall) return this.#noSubBeforeMs > nowMs ? running : 'sub';
    return this.#noMainBeforeMs > nowMs ? running : 'main';
  }

  #notesTrouble({ nowMs, gaps, delayMs }: QualitySample): boolean {
    for (; this.#gapsSeen < gaps; this.#gapsSeen++) this.#gapTimes.push(nowMs);
    this.#gapTimes = this.#gapTimes.filter((atMs) => nowMs - atMs < GAPS_IN_MS);
    this.#heldBackSinceMs = delayMs < HELD_BACK_MS ? undefined : (this.#heldBackSinceMs ?? nowMs);
    const isHeldBack = this.#heldBackSinceMs !== undefined && nowMs - this.#heldBackSinceMs >= HELD_BACK_FOR_MS;
    return isHeldBack || this.#gapTimes.length >= MOST_GAPS;
  }
}

/** How many times the picture has the lines that are shown of it. */
function excessOf(picture: PixelSize, box: PixelSize): number {
  if (box.width <= 0 || box.height <= 0) return 1;
  return Math.max(picture.width / box.width, picture.height / box.height);
}
