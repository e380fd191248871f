// The numbers of rules as the form shows them: durations are kept in seconds, also where they are shown in minutes. Pure.
import {
  hasRule,
  RULE_FIELDS,
  type RuleNumber,
  type RuleNumberName,
  type RuleUnit,
} from '../../../../shared/protocol/events/ruleSettings.ts';

export const RULE_NUMBERS = ['threshold', 'lowThreshold', 'clearThreshold', 'durationSeconds'] as const;

const MINUTE_S = 60;

/** In the unit that is shown. */
export interface ShownNumber {
  readonly unit: RuleUnit;
  readonly minimum: number;
  readonly maximum: number;
  readonly isOptional: boolean;
}

/** Undefined where the type has no such number. */
export function shownNumber(type: string, name: RuleNumberName): ShownNumber | undefined {
  const number = ruleNumberOf(type, name);
  if (number === undefined) return undefined;
  const { unit, isOptional = false } = number;
  const factor = factorOf(name, number);
  return { unit, minimum: number.minimum / factor, maximum: number.maximum / factor, isOptional };
}

/** Converts a stored value to the shown one; null for none. */
export function toShown(type: string, name: RuleNumberName, value: number | null): number | null {
  const number = ruleNumberOf(type, name);
  return number === undefined || value === null ? value : value / factorOf(name, number);
}

/** Converts a shown value to the stored one. */
export function toKept(type: string, name: RuleNumberName, shown: number | null): number | null {
  const number = ruleNumberOf(type, name);
  return number === undefined || shown === null ? shown : shown * factorOf(name, number);
}

function ruleNumberOf(type: string, name: RuleNumberName): RuleNumber | undefined {
  return hasRule(type) ? RULE_FIELDS[type][name] : undefined;
}

function factorOf(name: RuleNumberName, { unit }: RuleNumber): number {
  return name === 'durationSeconds' && unit === 'min' ? MINUTE_S : 1;
}
