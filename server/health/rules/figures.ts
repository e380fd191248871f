// What the rules have in common: numbers with their limits, and which of several states counts.
import type { HealthValue } from '../../../shared/protocol/api/system/health.ts';
import type {
  HealthBound,
  HealthFigure,
  HealthState,
  HealthUnit,
} from '../../../shared/protocol/health/healthWords.ts';

type Of = readonly [HealthFigure, HealthUnit];
type Number = number | null;

export function figure([name, unit]: Of, value: Number): HealthValue {
  return { name, unit, value, limit: null };
}

export function limited([name, unit]: Of, value: Number, limit: readonly [HealthBound, number]): HealthValue {
  return { name, unit, value, limit: { bound: limit[0], value: limit[1] } };
}

/** A problem counts before what isn't known, and that before a warning. */
const WORST_FIRST: readonly HealthState[] = ['problem', 'unknown', 'warning', 'ok'];

export function worstState(states: readonly HealthState[]): HealthState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'ok';
}

/** From the limit on it warns; from `times` the limit on it is a problem. */
export function stateAbove(value: Number, limit: number, times: number): HealthState {
  if (value === null || value < limit) return 'ok';
  return value < limit * times ? 'warning' : 'problem';
}
