// The two grains in which the online history is kept: fine for a day, coarse for a month.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Points of the last day. */
export const DAY_STEP_MS = 10 * MINUTE_MS;
/** Points of the last thirty days. */
export const MONTH_STEP_MS = 60 * MINUTE_MS;

export const DAY_SPAN_MS = DAY_MS;
export const MONTH_SPAN_MS = 30 * DAY_MS;

/** Older intervals of this grain are removed. */
export function keptFrom(stepMs: number, nowMs: number): number {
  return nowMs - (stepMs === DAY_STEP_MS ? 2 * DAY_MS : MONTH_SPAN_MS + DAY_MS);
}
