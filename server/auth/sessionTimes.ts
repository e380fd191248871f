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

/** 12 hours without a request (a shift and a half); a week at most. */
export const ORDINARY_LIFE: SessionLife = { idleMs: 12 * HOUR_MS, wholeMs: 7 * DAY_MS };
/** For wall displays, where nobody signs in every week. */
export const WALL_MONITOR_LIFE: SessionLife = { idleMs: 14 * DAY_MS, wholeMs: 180 * DAY_MS };
/** A framed page renews its token well within this. The token of a closed page soon expires. */
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

/** The new idle expiry; undefined if the last one was written too recently to be worth another write. */
export function slide(times: SessionTimes, now: WallMs, { idleMs }: SessionLife): WallMs | undefined {
  if (now - times.lastSeenAtMs < TOUCH_EVERY_MS) return undefined;
  return wallMs(Math.min(now + idleMs, times.endsAtMs));
}

/** The same for a frame token. */
export function slideToken(expiresAtMs: WallMs, now: WallMs): WallMs | undefined {
  const next = now + FRAME_TOKEN_MS;
  return next - expiresAtMs < TOUCH_EVERY_MS ? undefined : wallMs(next);
}
