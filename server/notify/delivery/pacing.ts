// The pace of a sender. Pure.

const MINUTE_MS = 60_000;

export interface Pacing {
  /** 0: no limit. */
  readonly perMinute: number;
  /** Time of the last attempt; undefined before the first. */
  readonly lastBeginMs: number | undefined;
  readonly nowMs: number;
}

/** How long the next attempt has to wait: attempts are spread evenly, so that no minute has more than the sender may send. */
export function paceWaitMs({ perMinute, lastBeginMs, nowMs }: Pacing): number {
  // A time in the future means that the clock was set back since; waiting for it could take years.
  if (perMinute <= 0 || lastBeginMs === undefined || lastBeginMs > nowMs) return 0;
  return Math.max(Math.ceil(lastBeginMs + MINUTE_MS / perMinute - nowMs), 0);
}
