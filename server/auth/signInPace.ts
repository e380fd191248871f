// How fast attempts to sign in follow one another. Pure.
import { addFailure, countAt, type FailureCount } from '../limits/failureCount.ts';

export interface PaceRule {
  /** Mistyping is no attack. */
  readonly freeFailures: number;
  readonly firstGapMs: number;
  readonly maxGapMs: number;
  /** One failure is forgotten in this time. */
  readonly forgetMs: number;
}

/**
 * Of one address on one account, and of all strangers together on one account. Neither grows, so that whoever knows the
 * password and comes from the address of an attack waits for the attempts before, half a second each, and no longer.
 */
export const PAIR_PACE: PaceRule = { freeFailures: 3, firstGapMs: 500, maxGapMs: 500, forgetMs: 30_000 };
export const ACCOUNT_PACE: PaceRule = { freeFailures: 20, firstGapMs: 500, maxGapMs: 500, forgetMs: 30_000 };
/** On whatever accounts. A whole control room may come from one address. */
export const ADDRESS_PACE: PaceRule = { freeFailures: 20, firstGapMs: 200, maxGapMs: 200, forgetMs: 5_000 };
/** Of one browser that has signed in before, or of one session: nobody else waits behind its attempts. */
export const LANE_PACE: PaceRule = { freeFailures: 3, firstGapMs: 500, maxGapMs: 5_000, forgetMs: 30_000 };

export interface Pace {
  readonly failures: FailureCount;
  /** Before this the next attempt is not looked at. */
  readonly nextAtMs: number;
}

export function failuresAt(pace: Pace | undefined, nowMs: number, { forgetMs }: PaceRule): number {
  return countAt(pace?.failures, nowMs, forgetMs);
}

/** The pace after one more attempt that has begun, which counts as failed until it is known to be right. */
export function paceAfter(pace: Pace | undefined, nowMs: number, rule: PaceRule): Pace {
  const failures = addFailure(failuresAt(pace, nowMs, rule), nowMs);
  return { failures, nextAtMs: nowMs + gapMs(failures.count, rule) };
}

/** The same without one failure: the attempt was right. */
export function paceForgiven(pace: Pace, nowMs: number, rule: PaceRule): Pace | undefined {
  const count = failuresAt(pace, nowMs, rule) - 1;
  return count <= 0 ? undefined : { failures: { count, atMs: nowMs }, nextAtMs: pace.nextAtMs };
}

function gapMs(failures: number, { freeFailures, firstGapMs, maxGapMs }: PaceRule): number {
  const excess = Math.ceil(failures - freeFailures);
  return excess <= 0 ? 0 : Math.min(maxGapMs, firstGapMs * 2 ** (excess - 1));
}
