// Decides whether a check has a problem that is worth an event: one that comes and goes is reported once.
import type { HealthState } from '../../../shared/protocol/health/healthWords.ts';

/** Looks in a row until a problem begins: a moment's peak is no problem. */
export const LOOKS_TO_BEGIN = 3;
const LOOKS_TO_END = 5;

export interface SteadyProblem {
  readonly isProblem: boolean;
  /** Looks in a row with the opposite result. */
  readonly against: number;
}

export const NO_PROBLEM: SteadyProblem = { isProblem: false, against: 0 };

export function afterLook(before: SteadyProblem, state: Exclude<HealthState, 'unknown'>): SteadyProblem {
  const isProblem = state === 'problem';
  if (isProblem === before.isProblem) return { isProblem, against: 0 };
  const against = before.against + 1;
  const isOver = against >= (isProblem ? LOOKS_TO_BEGIN : LOOKS_TO_END);
  return isOver ? { isProblem, against: 0 } : { ...before, against };
}
