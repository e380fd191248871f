// How long a sign-in attempt waits before it is looked at. Pure.

export interface FailureCount {
  /** Failures that are not forgotten yet; a fraction is on its way out. */
  readonly count: number;
  readonly atMs: number;
}

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
/** More are not counted, so that a long attack is not remembered for longer than it takes to forget these. */
const MAX_COUNT = 40;

export function countAt(failures: FailureCount | undefined, nowMs: number, forgetMs: number): number {
  if (failures === undefined) return 0;
  return Math.max(0, failures.count - Math.max(0, nowMs - failures.atMs) / forgetMs);
}

export function addFailure(count: number, nowMs: number): FailureCount {
  return { count: Math.min(MAX_COUNT, count + 1), atMs: nowMs };
}

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

/** What counts as one caller: an IPv4 address, or the /64 that an IPv6 subscriber is given whole. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
