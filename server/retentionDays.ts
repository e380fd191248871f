// How long stored data is kept: the smallest limit that somebody has set. Pure.

const DAY_MS = 86_400_000;

/** The smallest of the limits that are set; 0 when none is. */
export function retentionDays(ownDays: number, groupDays: readonly number[]): number {
  const limits = [ownDays, ...groupDays].filter((days) => days > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
}

/** What ended before this moment is past its retention; undefined: nothing is. */
export function expiresBefore(days: number, nowMs: number): number | undefined {
  return days > 0 ? nowMs - days * DAY_MS : undefined;
}
