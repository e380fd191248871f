// Decides which pictures of a burst are shown. A new viewer receives everything since the last key frame at once: seconds
// of pictures that have to be decoded, although only the newest is current.
import type { MediaUs } from '../../../shared/protocol/time.ts';

export type Verdict = 'show' | 'hold' | 'skip';

/** Live pictures are at least 20 ms apart; those of a burst follow directly. */
const SETTLE_MS = 10;
/** During a burst, a pause is more likely caused by a busy machine than by its end. */
const BURST_SETTLE_MS = 30;
/** However slowly a burst arrives, a picture is shown after this time. */
const MAX_SETTLE_MS = 250;
/** If decoding the burst takes longer, intermediate pictures are shown. */
const MAX_CATCH_UP_MS = 1_000;
/** A unit this much closer to the present than the one before is part of a delayed delivery, not of jitter. */
const LEAP_MS = 80;
/** After the clock was set, no burst is detected for this long: the first unit may have been late by as much. */
const BEARINGS_MS = 1_000;
/** How far one unit may move the reference while nothing is held back: enough for any difference between two clocks. */
const DRIFT_MS = 1;

type Phase = 'settling' | 'catching-up' | 'live';

/**
 * Compares arrivals with media times. While each unit is considerably closer to the present than the one before, a burst is
 * arriving. Units delayed by a network stall are not closer to the present than those before it, so they are all shown.
 */
export class BurstGate {
  #phase: Phase = 'settling';
  #burstStartMs: number | undefined;
  /** Smallest difference between arrival and media time in the burst: that of a unit without any delay. */
  #referenceMs = Number.POSITIVE_INFINITY;
  #newestUs = Number.NEGATIVE_INFINITY;
  /** Undefined until the first unit after a clock change. */
  #bearingsUntilMs: number | undefined = Number.NEGATIVE_INFINITY;

  /** What follows is unrelated to what came before. */
  start(): void {
    this.#phase = 'settling';
    this.#burstStartMs = undefined;
    this.#referenceMs = Number.POSITIVE_INFINITY;
    this.#newestUs = Number.NEGATIVE_INFINITY;
    this.#bearingsUntilMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * The clock behind the media times was set, so arrivals are measured afresh. The first unit may have been late, which
   * makes the next ones look like a burst; for a while no burst is detected.
   */
  rebase(): void {
    this.#referenceMs = Number.POSITIVE_INFINITY;
    this.#bearingsUntilMs = undefined;
  }

  /** Notes a unit passed to the decoder. Returns when to call `settle`, if that has changed. */
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

  /** The burst is complete: pictures from its newest unit on may be shown. */
  settle(): void {
    if (this.#phase === 'settling') this.#phase = 'catching-up';
  }

  /** What to do with a decoded picture. After `hold`, ask again when `settle` has been called. */
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
