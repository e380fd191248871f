import { Origin, type Signal } from '../signals/signal.ts';
import type { PreparedRule } from './rule.ts';

/** The result of nearly every step. Shared, so that such a step allocates nothing. */
export const NO_SIGNALS: readonly Signal[] = [];

export interface Measured {
  readonly value?: number | undefined;
  readonly sinceMs?: number | undefined;
}

/** Signal for the device as a whole. The threshold is the limit; only begins and momentary signals have it. */
export function ruleSignal(
  { code, threshold }: PreparedRule,
  form: 'begin' | 'end' | 'momentary',
  { value, sinceMs }: Measured = {},
): Signal {
  return {
    type: code,
    unit: 0,
    area: 0,
    form,
    origin: Origin.Rule,
    ...(value !== undefined && { value }),
    ...(form !== 'end' && !Number.isNaN(threshold) && { limit: threshold }),
    ...(sinceMs !== undefined && { sinceMs }),
  };
}

export function joined(first: readonly Signal[], second: readonly Signal[]): readonly Signal[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}

/** Rounded to one decimal, which is more than any terminal measures. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
