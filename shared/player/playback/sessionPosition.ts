// A session's position, by its last report. Pure.
import type { TimeRange } from './timeline/ranges.ts';

/** The last report, and when it came by this machine's clock. */
export interface KnownClock {
  readonly positionMs: number;
  readonly speed: number;
  readonly paused: boolean;
  readonly atMs: number;
}

/** The server keeps the position of a session that nobody watches; a step more or less has no meaning. */
const SAME_PLACE_MS = 3_000;
/** The server may go to the nearest moment that it can show. */
const REACHED_MS = 1_500;
const LAST_PICTURES_MS = 1_000;

export function positionOf({ positionMs, speed, paused, atMs }: KnownClock, nowMs: number): number {
  return paused ? positionMs : positionMs + (nowMs - atMs) * speed;
}

/** Whether a session that is reported after all connections were lost is another than the one before. */
export function wasLost(before: KnownClock, told: KnownClock): boolean {
  const hasMoved = Math.abs(told.positionMs - before.positionMs) > SAME_PLACE_MS;
  return hasMoved || told.speed !== before.speed || told.paused !== before.paused;
}

/** The nearest moment that can be had; the last second shows the last pictures. */
export function within(bounds: TimeRange | undefined, positionMs: number): number {
  if (bounds === undefined) return positionMs;
  return Math.max(bounds.fromMs, Math.min(positionMs, bounds.toMs - LAST_PICTURES_MS));
}

/** Whether the server has followed a seek. */
export function isReached(wantedMs: number, told: KnownClock): boolean {
  return Math.abs(told.positionMs - wantedMs) <= REACHED_MS;
}
