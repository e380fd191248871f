// How fast a sender may go. Pure.

const MINUTE_MS = 60_000;

export interface Pacing {
  /** 0: no limit. */
  readonly perMinute: number;
  /** Of the last attempt; undefined before the first. */
  readonly lastBeginMs: number | undefined;
  readonly nowMs: number;
}

/** How long the next attempt has to wait: they are spread evenly, so that no minute has more than the sender may send. */
export function paceWaitMs({ perMinute, lastBeginMs, nowMs }: Pacing): number {
  if (perMinute <= 0 || lastBeginMs === undefined) return 0;
  const waitMs = Math.ceil(lastBeginMs + MINUTE_MS / perMinute - nowMs);
  // A clock that was set back must not hold the sender up for longer than a minute.
  return Math.min(Math.max(waitMs, 0), MINUTE_MS);
}
