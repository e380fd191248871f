import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';

export interface StampedTime {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
  /** The terminal's clock was set, or its stream began anew: time before and after cannot be compared. */
  readonly jumped: boolean;
}

/** A step of more than this in either direction is a clock that was set, not a pause in the stream. */
const MAX_STEP_MS = 5_000;
/** Terminals without a clock count from zero; whatever is past 2010 is meant as a date. */
const EARLIEST_DATE_MS = Date.UTC(2010, 0, 1);

/**
 * Gives frames their media time from the terminal's time stamps, which start at zero, are dates, or never move
 * at all; in the last case the arrival stands in.
 */
export class MediaClock {
  #lastStampMs: number | undefined;
  #lastMediaMs = 0;
  #lastArrivalMs = 0;
  #stuckFrames = 0;

  stamp(timestampMs: number, arrivalMs: number): StampedTime {
    const deviceTimeMs = wallMs(timestampMs >= EARLIEST_DATE_MS ? timestampMs : 0);
    const stepMs = this.#lastStampMs === undefined ? 0 : timestampMs - this.#lastStampMs;
    const jumped = Math.abs(stepMs) > MAX_STEP_MS;
    const isFirst = this.#lastStampMs === undefined;
    this.#stuckFrames = !isFirst && stepMs === 0 ? this.#stuckFrames + 1 : 0;
    this.#lastMediaMs += isFirst ? 0 : this.#advanceMs(stepMs, arrivalMs, jumped);
    this.#lastStampMs = timestampMs;
    this.#lastArrivalMs = arrivalMs;
    return { mediaTimeUs: mediaUs(Math.round(this.#lastMediaMs * 1000)), deviceTimeMs, jumped };
  }

  #advanceMs(stepMs: number, arrivalMs: number, jumped: boolean): number {
    // Audio and video of one moment bear the same stamp, so a few repetitions are no stuck clock.
    const isStuck = this.#stuckFrames > STUCK_AFTER_FRAMES;
    if (!jumped && !isStuck) return stepMs;
    return Math.min(Math.max(arrivalMs - this.#lastArrivalMs, 1), MAX_STEP_MS);
  }
}

const STUCK_AFTER_FRAMES = 8;
