// How long sessions live. Pure.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export interface SessionLife {
  /** Ends this long after the last request. */
  readonly idleMs: number;
  /** Ends this long after sign-in, however busy it is. */
  readonly wholeMs: number;
}

/** A shift and a half without a request; a week at most. */
export const ORDINARY_LIFE: SessionLife = { idleMs: 12 * HOUR_MS, wholeMs: 7 * DAY_MS };
/** A screen on a wall that nobody signs in at every week. */
export const WALL_MONITOR_LIFE: SessionLife = { idleMs: 14 * DAY_MS, wholeMs: 180 * DAY_MS };
/** A framed page asks for something well within this; one that was closed leaves a token that soon opens nothing. */
export const FRAME_TOKEN_MS = HOUR_MS;

/** Writing the time of last use more often would cost a write a request. */
const TOUCH_EVERY_MS = 60_000;

export interface SessionTimes {
  readonly lastSeenAtMs: WallMs;
  readonly idleEndsAtMs: WallMs;
  readonly endsAtMs: WallMs;
}

export function lifeOf(wallMonitor: boolean): SessionLife {
  return wallMonitor ? WALL_MONITOR_LIFE : ORDINARY_LIFE;
}

export function beginTimes(now: WallMs, { idleMs, wholeMs }: SessionLife): SessionTimes {
  const endsAtMs = wallMs(now + wholeMs);
  return { lastSeenAtMs: now, idleEndsAtMs: wallMs(Math.min(now + idleMs, endsAtMs)), endsAtMs };
}

export function isOver(times: SessionTimes, now: WallMs): boolean {
  return times.idleEndsAtMs <= now || times.endsAtMs <= now;
}

/** The new idle end, or undefined when the last one was written too short a time ago to matter. */
export function slide(times: SessionTimes, now: WallMs, { idleMs }: SessionLife): WallMs | undefined {
  if (now - times.lastSeenAtMs < TOUCH_EVERY_MS) return undefined;
  return wallMs(Math.min(now + idleMs, times.endsAtMs));
}

/** The same for a frame token. */
export function slideToken(expiresAtMs: WallMs, now: WallMs): WallMs | undefined {
  const next = now + FRAME_TOKEN_MS;
  return next - expiresAtMs < TOUCH_EVERY_MS ? undefined : wallMs(next);
}
