import type { PreparedRule } from './rule.ts';

const MINUTE_MS = 60_000;

/**
 * When a condition that lasts without further reports has to be evaluated again: when it has lasted long enough (`raisedAtMs`), and
 * each minute where a schedule says when the rule applies.
 */
export function nextLookMs({ schedule }: PreparedRule, raisedAtMs: number, lookedAtMs: number): number {
  return schedule === undefined ? raisedAtMs : Math.min(raisedAtMs, lookedAtMs + MINUTE_MS);
}
