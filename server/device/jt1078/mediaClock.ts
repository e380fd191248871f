import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';

export interface StampedTime {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
  /** The terminal's clock was set, or its stream began anew: time before and after cannot be compared. */
  readonly jumped: boolean;
}

export type Medium = 'video' | 'audio';

/** A longer step ahead is a clock that was set, unless the stream paused for as long. */
const MAX_STEP_MS = 5_000;
/** The network may shorten or lengthen a pause by so much. */
const PAUSE_TOLERANCE_MS = 2_000;
/** So is a longer step back: a B picture is shown some pictures before the one that it follows, never a second. */
const MAX_STEP_BACK_MS = 1_000;
/** Terminals without a clock count from zero; whatever is past 2010 is meant as a date. */
const EARLIEST_DATE_MS = Date.UTC(2010, 0, 1);
/** A camera may send a frame in two pieces with one stamp; a clock that stands still stands for longer. */
const STUCK_AFTER_FRAMES = 4;

interface Track {
  readonly stampMs: number;
  readonly mediaMs: number;
  readonly arrivalMs: number;
  readonly stuckFrames: number;
}

/**
 * Gives frames their media time from the terminal's time stamps, which start at zero, are dates, or never move at all;
 * in the last case the arrival stands in. Sound and picture share a clock, but with some terminals they do not: then
 * each goes by its own, laid together where they arrived together.
 */
export class MediaClock {
  readonly #tracks = new Map<Medium, Track>();
  readonly #maxStepMs: (() => number) | undefined;

  /** `maxStepMs`: for recordings that are played faster, whose stamps are further apart, and whose arrival tells nothing. */
  constructor(maxStepMs?: () => number) {
    this.#maxStepMs = maxStepMs;
  }

  stamp(timestampMs: number, arrivalMs: number, medium: Medium = 'video'): StampedTime {
    const own = this.#tracks.get(medium);
    const other = this.#tracks.get(medium === 'video' ? 'audio' : 'video');
    const jumped = own !== undefined && this.#isJump(timestampMs - own.stampMs, arrivalMs - own.arrivalMs);
    const stuckFrames = own !== undefined && own.stampMs === timestampMs ? own.stuckFrames + 1 : 0;
    const mediaMs = mediaTimeMs(timestampMs, arrivalMs, {
      own,
      other,
      isLost: jumped || stuckFrames > STUCK_AFTER_FRAMES,
    });
    this.#tracks.set(medium, { stampMs: timestampMs, mediaMs, arrivalMs, stuckFrames });
    const deviceTimeMs = wallMs(timestampMs >= EARLIEST_DATE_MS ? timestampMs : 0);
    return { mediaTimeUs: mediaUs(Math.round(mediaMs * 1000)), deviceTimeMs, jumped };
  }

  #isJump(stepMs: number, arrivalStepMs: number): boolean {
    if (this.#maxStepMs !== undefined) return isJump(stepMs, this.#maxStepMs());
    const isPause = stepMs > 0 && stepMs - arrivalStepMs <= PAUSE_TOLERANCE_MS;
    return isJump(stepMs, MAX_STEP_MS) && !isPause;
  }
}

interface Known {
  readonly own: Track | undefined;
  readonly other: Track | undefined;
  /** The stamp's distance from the one before says nothing. */
  readonly isLost: boolean;
}

function mediaTimeMs(stampMs: number, arrivalMs: number, { own, other, isLost }: Known): number {
  if (own !== undefined && !isLost) return own.mediaMs + stampMs - own.stampMs;
  // The other medium's clock may be the same one, and may have been set already.
  const isShared = other !== undefined && isNear(stampMs - other.stampMs, own);
  const isStuck = own !== undefined && own.stampMs === stampMs;
  if (isShared && !isStuck) return other.mediaMs + stampMs - other.stampMs;
  const before = own ?? other;
  if (before === undefined) return 0;
  return before.mediaMs + Math.min(Math.max(arrivalMs - before.arrivalMs, own === undefined ? 0 : 1), MAX_STEP_MS);
}

function isJump(stepMs: number, maxStepMs: number): boolean {
  return stepMs > maxStepMs || stepMs < -MAX_STEP_BACK_MS;
}

/** Whether two media may share a clock. At the start one may be far behind the other; later that is a clock not set yet. */
function isNear(distanceMs: number, own: Track | undefined): boolean {
  return own === undefined ? Math.abs(distanceMs) <= MAX_STEP_MS : !isJump(distanceMs, MAX_STEP_MS);
}
