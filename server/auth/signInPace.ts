// How fast attempts to sign in follow one another. Pure.
import { addFailure, countAt, type FailureCount } from '../limits/failureCount.ts';

export interface PaceRule {
  /** Failures without a delay, since people mistype. */
  readonly freeFailures: number;
  readonly firstGapMs: number;
  readonly maxGapMs: number;
  /** Time after which one failure is forgotten. */
  readonly forgetMs: number;
}

/**
 * For one address on one account, and for all unknown clients of one account. The gap doesn't grow, so a user who shares
 * the attacker's address waits half a second for each attempt ahead, and no longer.
 */
export const PAIR_PACE: PaceRule = { freeFailures: 3, firstGapMs: 500, maxGapMs: 500, forgetMs: 30_000 };
export const ACCOUNT_PACE: PaceRule = { freeFailures: 20, firstGapMs: 500, maxGapMs: 500, forgetMs: 30_000 };
/** For one address, over all accounts. A whole control room may share an address. */
export const ADDRESS_PACE: PaceRule = { freeFailures: 20, firstGapMs: 200, maxGapMs: 200, forgetMs: 5_000 };
/** For one known browser, or one session. Nobody else is delayed by its attempts. */
export const LANE_PACE: PaceRule = { freeFailures: 3, firstGapMs: 500, maxGapMs: 5_000, forgetMs: 30_000 };

export interface Pace {
  readonly failures: FailureCount;
  /** The next attempt isn't checked before this. */
  readonly nextAtMs: number;
}

export function failuresAt(pace: Pace | undefined, nowMs: number, { forgetMs }: PaceRule): number {
  return countAt(pace?.failures, nowMs, forgetMs);
}

/** The pace after one more attempt. It counts as a failure until its result is known. */
export function paceAfter(pace: Pace | undefined, nowMs: number, rule: PaceRule): Pace {
  const failures = addFailure(failuresAt(pace, nowMs, rule), nowMs);
  return { failures, nextAtMs: nowMs + gapMs(failures.count, rule) };
}

/** The pace with one failure less, after a correct attempt. */
export function paceForgiven(pace: Pace, nowMs: number, rule: PaceRule): Pace | undefined {
  const count = failuresAt(pace, nowMs, rule) - 1;
  return count <= 0 ? undefined : { failures: { count, atMs: nowMs }, nextAtMs: pace.nextAtMs };
}

function gapMs(failures: number, { freeFailures, firstGapMs, maxGapMs }: PaceRule): number {
  const excess = Math.ceil(failures - freeFailures);
  return excess <= 0 ? 0 : Math.min(maxGapMs, firstGapMs * 2 ** (excess - 1));
}
