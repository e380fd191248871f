// What becomes of a message after an attempt. Pure.
import type { AttemptOutcome } from '../../../shared/protocol/notify/notifyWords.ts';

export interface Attempted {
  /** Including this one. */
  readonly attempts: number;
  readonly firstDueAtMs: number;
  /** When the attempt ended. */
  readonly nowMs: number;
  readonly outcome: AttemptOutcome;
  /** What the other side has asked to wait for; 0 for nothing. */
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
/** The other side may ask for a longer wait, but has no say over whether the message is tried again. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;
/**
 * What may have arrived is not sent again before: a recipient who gets it twice is worse off than one who waits, but what was lost
 * has to be sent once more. Each further attempt waits four times as long.
 */
export const UNKNOWN_BACK_OFF_MS = 60 * 60_000;
const UNKNOWN_FACTOR = 4;
/** In either direction, so that messages which failed together do not return together. */
export const JITTER = 0.2;
/** Counted from when the first attempt was due. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;
/** A message that nothing could send for so long, as while the gateway was down, is given up without an attempt. */
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

/** As long as the other side has asked for, within bounds. */
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
