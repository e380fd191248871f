import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';

export interface StampedTime {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
  /** The terminal's clock was set, or its stream began anew: time before and after cannot be compared. */
  readonly jumped: boolean;
}

export type Medium = 'video' | 'audio';

/** A longer step forward means that the clock was set, unless the stream paused for about as long. */
const MAX_STEP_MS = 5_000;
/** How much the network may shorten or lengthen a pause. */
const PAUSE_TOLERANCE_MS = 2_000;
/**
 * A longer step back means that the clock was set: a B picture is shown a few pictures before the one it follows, never a
 * second.
 */
const MAX_STEP_BACK_MS = 1_000;
/** Terminals without a clock count from zero. Stamps after 2010 are dates. */
const EARLIEST_DATE_MS = Date.UTC(2010, 0, 1);
/** A camera may send a frame in two parts with one stamp; a clock that has stopped repeats it more often. */
const STUCK_AFTER_FRAMES = 4;

interface Track {
  readonly stampMs: number;
  readonly mediaMs: number;
  readonly arrivalMs: number;
  readonly stuckFrames: number;
}

/**
 * Derives media times from the terminal's time stamps, which start at zero, are dates, or never change; in the last case
 * the time of arrival is used. Video and audio usually share a clock. If a terminal's don't, each follows its own, aligned
 * by their times of arrival.
 */
export class MediaClock {
  readonly #tracks = new Map<Medium, Track>();
  readonly #maxStepMs: (() => number) | undefined;

  /** `maxStepMs` is for recordings played faster: their stamps are further apart, and their arrival says nothing. */
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
  // Both media may share a clock that was set, and the other medium has already followed it.
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

/**
 * Whether two media may share a clock. At the start one may lag far behind the other; later, a lag means that the clock was
 * set between the two.
 */
function isNear(distanceMs: number, own: Track | undefined): boolean {
  return own === undefined ? Math.abs(distanceMs) <= MAX_STEP_MS : !isJump(distanceMs, MAX_STEP_MS);
}
