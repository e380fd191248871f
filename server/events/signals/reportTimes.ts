// Decides which times of a terminal's clock may date its reports. A clock without a fix or a battery stands in 1970, 2000 or next year.

/** No terminal stores positions for longer: older ones come from a clock that stood in another year. */
const MAX_LATE_MS = 90 * 86_400_000;
const MAX_AHEAD_MS = 10 * 60_000;

/** The last millisecond that a calendar has; time zones know no later ones. */
const MAX_TIME_MS = 8.64e15;

export function isTime(atMs: number): boolean {
  return atMs >= 0 && atMs <= MAX_TIME_MS;
}

/** Whether something that is reported late can have happened at this time of the device's clock. */
export function isLateTime(deviceTimeMs: number, receivedAtMs: number): boolean {
  return deviceTimeMs > receivedAtMs - MAX_LATE_MS && deviceTimeMs <= receivedAtMs + MAX_AHEAD_MS;
}

/**
 * Terminals send their stored reports package after package. A minute after the last of them no more are expected: conditions that they
 * left open have ended.
 */
export const LATE_QUIET_MS = 60_000;
