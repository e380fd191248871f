// The page's clock: one moment for map, slider, chart, table and video. Pure.
import { isWithin, type TimeRange } from './ranges.ts';

export const CLOCK_SPEEDS = [1, 2, 4, 8, 16, 32, 64] as const;
/** Above this speed, the track runs on and the video waits. */
export const MAX_VIDEO_SPEED = 16;

export interface ClockState {
  readonly positionMs: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** Whether the clock skips times without movement and without reports. */
  readonly skips: boolean;
}

/** What the clock runs along. */
export interface ClockCourse extends TimeRange {
  /** The ranges where nothing moves, in order, none of which touch. */
  readonly still: readonly TimeRange[];
}

export const NO_COURSE: ClockCourse = { fromMs: 0, toMs: 0, still: [] };

/** The part of a skipped stretch that is shown before the skip, so that a stop is seen to begin. */
export const SKIP_LEAD_MS = 3_000;

export function within({ fromMs, toMs }: TimeRange, positionMs: number): number {
  return Math.min(Math.max(positionMs, fromMs), Math.max(fromMs, toMs));
}

/** Returns the same state when nothing has changed. The clock stops at the end of its course. */
export function advanced(state: ClockState, course: ClockCourse, elapsedMs: number): ClockState {
  if (!state.isPlaying) return state;
  const reached = state.positionMs + elapsedMs * state.speed;
  const positionMs = within(course, state.skips ? skipped(course.still, state.positionMs, reached) : reached);
  return { ...state, positionMs, isPlaying: positionMs < course.toMs };
}

/** The clock's position outside the skipped ranges; the way there may lead into several of them. */
function skipped(still: readonly TimeRange[], fromMs: number, reachedMs: number): number {
  let positionMs = reachedMs;
  for (const range of still) {
    if (range.toMs <= fromMs) continue;
    // A range that the clock is already in is left at once.
    const leaveMs = Math.max(range.fromMs + SKIP_LEAD_MS, fromMs);
    if (leaveMs > positionMs) break;
    if (leaveMs < range.toMs) positionMs = range.toMs + positionMs - leaveMs;
  }
  return positionMs;
}

/** Playing from the end starts again from the beginning. */
export function started(state: ClockState, course: ClockCourse): ClockState {
  const positionMs = state.positionMs >= course.toMs ? course.fromMs : state.positionMs;
  return { ...state, positionMs, isPlaying: course.toMs > course.fromMs };
}

export function fasterThan(speed: number): number {
  return CLOCK_SPEEDS.find((each) => each > speed) ?? speed;
}

export type Leader = 'page' | 'session';

export interface VideoFacts {
  /** Whether the server reports the session's clock, and a stream is open to steer it by. */
  readonly isSteered: boolean;
  readonly hasEnded: boolean;
  /** Stretches for which the server has pictures of a shown channel, in order. */
  readonly recorded: readonly TimeRange[];
}

/** Whether pictures can be shown at that moment at all. */
export function hasPictures({ recorded }: Pick<VideoFacts, 'recorded'>, atMs: number): boolean {
  return recorded.some((range) => isWithin(range, atMs));
}

/** The side whose clock counts. While video plays, it is the session's: its pictures are what the user watches. */
export function leaderOf({ isPlaying, speed, positionMs }: ClockState, video: VideoFacts | undefined): Leader {
  if (video === undefined || !isPlaying || speed > MAX_VIDEO_SPEED) return 'page';
  return video.isSteered && !video.hasEnded && hasPictures(video, positionMs) ? 'session' : 'page';
}
