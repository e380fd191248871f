/** Until its heartbeat is known: some terminals beat once in ten minutes. */
export const UNKNOWN_HEARTBEAT_TIMEOUT_MS = 15 * 60_000;
/** Three beats of a terminal that beats every few seconds are no longer than a tunnel. */
const MIN_TIMEOUT_MS = 60_000;
/** A heartbeat of days is a parameter that nobody set. */
const MAX_TIMEOUT_MS = 6 * 3_600_000;

/** How long a terminal may be silent before its connection counts as dead: three heartbeats. */
export function idleTimeoutMs(heartbeatSeconds: number | undefined): number {
  if (heartbeatSeconds === undefined || heartbeatSeconds === 0) return UNKNOWN_HEARTBEAT_TIMEOUT_MS;
  return Math.min(Math.max(heartbeatSeconds * 3_000, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS);
}
