// What of a burst is worth showing. A new viewer gets everything since the last key frame at once: seconds of pictures
// that must be decoded, and of which only the newest is the present.
import type { MediaUs } from '../../../shared/protocol/time.ts';

export type Verdict = 'show' | 'hold' | 'skip';

/** Live pictures come 20 ms apart and more, those of a burst back to back. */
const SETTLE_MS = 10;
/** Once units have come back to back, a lull is more likely a busy machine's than the burst's end. */
const BURST_SETTLE_MS = 30;
/** However slowly a burst trickles in, something is to be seen after this long. */
const MAX_SETTLE_MS = 250;
/** A decoder that needs longer for the burst shows what it has. */
const MAX_CATCH_UP_MS = 1_000;
/** More than a picture or two closer to the present: the network still delivers what it had held back. */
const LEAP_MS = 80;
/** After the clock was set, no burst is detected for this long: the first unit may have been late by as much. */
const BEARINGS_MS = 1_000;
/** How far one unit may move the reference while nothing is held back: enough for any difference between two clocks. */
const DRIFT_MS = 1;

type Phase = 'settling' | 'catching-up' | 'live';

/**
 * Compares when units arrive with their media times. While each brings the stream a leap closer to the present, a burst is
 * coming in. Late units after a hole in the network do not: they come no sooner than those before the hole did, so they
 * are all shown.
 */
export class BurstGate {
  #phase: Phase = 'settling';
  #burstStartMs: number | undefined;
  /** The smallest arrival minus media time of the burst: what a unit without any delay has. */
  #referenceMs = Number.POSITIVE_INFINITY;
  #newestUs = Number.NEGATIVE_INFINITY;
  /** Undefined until the first unit behind a clock that was set. */
  #bearingsUntilMs: number | undefined = Number.NEGATIVE_INFINITY;

  /** What comes next has nothing to do with what came before. */
  start(): void {
    this.#phase = 'settling';
    this.#burstStartMs = undefined;
    this.#referenceMs = Number.POSITIVE_INFINITY;
    this.#newestUs = Number.NEGATIVE_INFINITY;
    this.#bearingsUntilMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * The clock that media times are of was set: how near to the present units come is measured anew. The first of them may have been
   * late, so that the next ones seem to be a burst: for a while none is taken for one.
   */
  rebase(): void {
    this.#referenceMs = Number.POSITIVE_INFINITY;
    this.#bearingsUntilMs = undefined;
  }

  /** Notes a unit that goes to the decoder. Gives the moment for the next `settle`, if one is due. */
  arrived(mediaTimeUs: MediaUs, nowMs: number): number | undefined {
    const offsetMs = nowMs - mediaTimeUs / 1000;
    this.#bearingsUntilMs ??= nowMs + BEARINGS_MS;
    if (this.#phase !== 'settling' && nowMs < this.#bearingsUntilMs) {
      this.#referenceMs = Math.min(this.#referenceMs, offsetMs);
      return undefined;
    }
    if (offsetMs < this.#referenceMs - LEAP_MS && this.#phase !== 'settling') {
      this.#phase = 'settling';
      this.#burstStartMs = nowMs;
    }
    if (this.#phase !== 'settling') {
      this.#referenceMs = Math.max(Math.min(this.#referenceMs, offsetMs), this.#referenceMs - DRIFT_MS);
      return undefined;
    }
    const isHurried = offsetMs < this.#referenceMs - SETTLE_MS && this.#referenceMs < Number.POSITIVE_INFINITY;
    this.#referenceMs = Math.min(this.#referenceMs, offsetMs);
    this.#burstStartMs ??= nowMs;
    this.#newestUs = Math.max(this.#newestUs, mediaTimeUs);
    return Math.min(nowMs + (isHurried ? BURST_SETTLE_MS : SETTLE_MS), this.#burstStartMs + MAX_SETTLE_MS);
  }

  /** The burst is in: pictures of its newest unit and later ones may be shown. */
  settle(): void {
    if (this.#phase === 'settling') this.#phase = 'catching-up';
  }

  /** What to do with a picture that has come out of the decoder; `hold` until `settle`, then ask again. */
  judge(mediaTimeUs: MediaUs, nowMs: number): Verdict {
    if (this.#phase === 'settling') return 'hold';
    const isOverdue = nowMs - (this.#burstStartMs ?? nowMs) > MAX_CATCH_UP_MS;
    if (this.#phase === 'live' || mediaTimeUs >= this.#newestUs || isOverdue) {
      this.#phase = 'live';
      return 'show';
    }
    return 'skip';
  }
}
