import {
  type RuleCode,
  type RuleNumberName,
  type RuleSettings,
  ruleNumber,
} from '../../../shared/protocol/events/ruleSettings.ts';
import { RULES } from './registry.ts';
import { inputBitsOf, type PreparedRule, type Rule } from './rule.ts';
import { RuleSchedule } from './ruleSchedule.ts';

/** `timeZone`: the device's, for the schedule; '' for the gateway's own. */
export function prepareRule(code: RuleCode, settings: RuleSettings, timeZone: string): PreparedRule {
  const rule: Rule = RULES[code];
  const number = (name: RuleNumberName): number => ruleNumber(code, settings, name) ?? Number.NaN;
  const numbers = [number('threshold'), number('clearThreshold'), number('lowThreshold')] as const;
  const [threshold, clearThreshold, lowThreshold] = numbers;
  const durationMs = (ruleNumber(code, settings, 'durationSeconds') ?? 0) * 1_000;
  const { schedule = [] } = settings;
  return {
    rule,
    code,
    key: JSON.stringify([code, ...numbers, durationMs, schedule, schedule.length === 0 ? '' : timeZone]),
    inputBits: inputBitsOf(rule.inputs),
    threshold,
    clearThreshold,
    lowThreshold,
    durationMs,
    gapMs: rule.gapMs ?? Number.POSITIVE_INFINITY,
    schedule: schedule.length === 0 ? undefined : new RuleSchedule(schedule, timeZone),
  };
}
