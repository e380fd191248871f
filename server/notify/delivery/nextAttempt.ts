// The state of a message after an attempt. Pure.
import type { AttemptOutcome } from '../../../shared/protocol/notify/notifyWords.ts';

export interface Attempted {
  /** Including this one. */
  readonly attempts: number;
  readonly firstDueAtMs: number;
  /** When the attempt ended. */
  readonly nowMs: number;
  readonly outcome: AttemptOutcome;
  /** Wait that the other side has asked for; 0 for none. */
  readonly retryAfterMs?: number;
  /** From 0 to 1. */
  readonly random: number;
}

export type AfterAttempt =
  | { readonly state: 'sent' }
  | { readonly state: 'waiting'; readonly dueAtMs: number }
  | { readonly state: 'failed' };

export const FIRST_BACK_OFF_MS = 5_000;
export const MAX_BACK_OFF_MS = 60 * 60_000;
/** The other side may ask for a longer wait, but doesn't decide whether the message is tried again. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;
/**
 * Shortest wait before a message that may have arrived is sent again: a recipient who gets it twice is worse off than one who waits, but
 * a lost message has to be sent again. Each further attempt waits four times as long.
 */
export const UNKNOWN_BACK_OFF_MS = 60 * 60_000;
const UNKNOWN_FACTOR = 4;
/** Variation in either direction, so that messages that failed together are not tried again together. */
export const JITTER = 0.2;
/** Time after which a message is given up, counted from when the first attempt was due. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;
/** A message that couldn't be sent for this time, for example while the gateway was down, is given up without an attempt. */
export const TOO_OLD_AFTER_MS = GIVEN_UP_AFTER_MS + MAX_BACK_OFF_MS;

export function nextAttempt({
  attempts,
  firstDueAtMs,
  nowMs,
  outcome,
  retryAfterMs = 0,
  random,
}: Attempted): AfterAttempt {
  if (outcome === 'sent') return { state: 'sent' };
  const endMs = firstDueAtMs + GIVEN_UP_AFTER_MS;
  if (outcome === 'refused' || nowMs >= endMs) return { state: 'failed' };
  // The last attempt is at the end of the day.
  const waitMs = outcome === 'unknown' ? unknownBackOffMs(attempts) : backOffMs(attempts, random);
  return { state: 'waiting', dueAtMs: Math.min(nowMs + Math.max(waitMs, heldMs(retryAfterMs)), endMs) };
}

/** The time for which the other side has asked, within bounds. */
export function heldMs(retryAfterMs: number): number {
  return Math.min(Math.max(retryAfterMs, 0), MAX_RETRY_AFTER_MS);
}

function unknownBackOffMs(attempts: number): number {
  return Math.min(UNKNOWN_BACK_OFF_MS * UNKNOWN_FACTOR ** (attempts - 1), GIVEN_UP_AFTER_MS);
}

function backOffMs(attempts: number, random: number): number {
  const doubled = Math.min(FIRST_BACK_OFF_MS * 2 ** (attempts - 1), MAX_BACK_OFF_MS);
  return Math.round(doubled * (1 - JITTER + 2 * JITTER * random));
}
