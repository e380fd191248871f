import { type MediaUs, mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';

export interface StampedTime {
  readonly mediaTimeUs: MediaUs;
  readonly deviceTimeMs: WallMs;
  /** The terminal's clock was set, or its stream began anew: time before and after cannot be compared. */
  readonly jumped: boolean;
}

export type Medium = 'video' | 'audio';

/** A step of more than this in either direction is a clock that was set, not a pause in the stream. */
const MAX_STEP_MS = 5_000;
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
  readonly #maxStepMs: () => number;

  /** `maxStepMs`: for recordings that are played faster, whose stamps are further apart. */
  constructor(maxStepMs = (): number => MAX_STEP_MS) {
    this.#maxStepMs = maxStepMs;
  }

  stamp(timestampMs: number, arrivalMs: number, medium: Medium = 'video'): StampedTime {
    const own = this.#tracks.get(medium);
    const other = this.#tracks.get(medium === 'video' ? 'audio' : 'video');
    const jumped = own !== undefined && Math.abs(timestampMs - own.stampMs) > this.#maxStepMs();
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
  const isShared = other !== undefined && Math.abs(stampMs - other.stampMs) <= MAX_STEP_MS;
  const isStuck = own !== undefined && own.stampMs === stampMs;
  if (isShared && !isStuck) return other.mediaMs + stampMs - other.stampMs;
  const before = own ?? other;
  if (before === undefined) return 0;
  return before.mediaMs + Math.min(Math.max(arrivalMs - before.arrivalMs, own === undefined ? 0 : 1), MAX_STEP_MS);
}
