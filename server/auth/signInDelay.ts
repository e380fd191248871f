// How long a sign-in attempt waits before it is looked at. Pure.

/** One failure is forgotten in this time: an account that was attacked for an hour is quick again a few minutes later. */
export const FORGET_ACCOUNT_FAILURE_MS = 30_000;
export const FORGET_ADDRESS_FAILURE_MS = 5_000;

/** Mistyping is no attack. */
const FREE_ACCOUNT_FAILURES = 3;
/** A whole control room may come from one address. */
const FREE_ADDRESS_FAILURES = 20;
const FIRST_DELAY_MS = 500;
const MAX_ACCOUNT_DELAY_MS = 5_000;
const MAX_ADDRESS_DELAY_MS = 2_000;

/**
 * The longer of both delays. Both have an upper limit and nothing is ever refused for having failed before: whoever
 * knows the password gets in, at most five seconds later.
 */
export function signInDelayMs(accountFailures: number, addressFailures: number): number {
  return Math.max(
    delayOf(accountFailures - FREE_ACCOUNT_FAILURES, MAX_ACCOUNT_DELAY_MS),
    delayOf(addressFailures - FREE_ADDRESS_FAILURES, MAX_ADDRESS_DELAY_MS),
  );
}

function delayOf(excess: number, maxMs: number): number {
  if (excess <= 0) return 0;
  return Math.min(maxMs, FIRST_DELAY_MS * 2 ** (Math.ceil(excess) - 1));
}
