// The order in which items are fetched: requests of members, requests of events, rules by their priority. Pure.

/** More than any time in milliseconds, so that bands never meet. */
const BAND = 100_000_000_000_000;

/** In the order of the requests. */
export function requestPosition(atMs: number): number {
  return BAND + atMs;
}

export function eventPosition(atMs: number): number {
  return 2 * BAND + atMs;
}

/** The oldest first, since a device overwrites it first. `priority`: 1 to 9. */
export function rulePosition(priority: number, fromMs: number): number {
  return (2 + priority) * BAND + Math.max(0, fromMs);
}
