// The values of a type for which nothing is configured.
import type { EventRuleSettings, EventRuleValues } from '../../../shared/protocol/events/eventRules.ts';
import {
  hasRule,
  type RuleCode,
  type RuleNumberName,
  type RuleSettings,
  ruleFaults,
  suggestedSettings,
} from '../../../shared/protocol/events/ruleSettings.ts';
import type { StoredEventType } from '../../store/events/eventTypes.ts';
import { EVENTS_AN_HOUR, MERGE_WINDOW_MS } from '../engine/typeSettings.ts';

const RECORD_SECONDS = 60;

export const RULE_NUMBERS = [
  'threshold',
  'clearThreshold',
  'lowThreshold',
  'durationSeconds',
] as const satisfies readonly RuleNumberName[];

/** The values that Event Define has for the type, completed with what its rule suggests. */
export function defaultValuesOf({ code, enabled, severity, snapshotChannels }: StoredEventType): EventRuleValues {
  const suggested = hasRule(code) ? suggestedSettings(code) : {};
  const { threshold = null, clearThreshold = null, lowThreshold = null, durationSeconds = null } = suggested;
  return {
    enabled,
    severity,
    threshold,
    clearThreshold,
    lowThreshold,
    durationSeconds,
    schedule: [],
    // A data plan reaches each level once a period, sometimes two within seconds: merged, the second would notify nobody.
    mergeSeconds: code === 'data-plan-level' ? 0 : MERGE_WINDOW_MS / 1_000,
    eventsAnHour: EVENTS_AN_HOUR,
    recordChannels: [],
    recordSeconds: RECORD_SECONDS,
    snapshotChannels,
    requestsFiles: true,
    popUp: severity === 'critical',
    driverText: '',
    isSpoken: false,
    confirms: false,
  };
}

/** The settings that the rule itself uses. Only limits that are set; nulls are left out. */
export function ruleSettingsOf(values: EventRuleSettings): RuleSettings {
  const numbers = RULE_NUMBERS.flatMap((name) => {
    const value = values[name] ?? undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(numbers), schedule: values.schedule ?? [] };
}

/**
 * The rule's settings as they are evaluated; undefined where the rule is off, or lacks its hours or its limit. Places are configured
 * one by one, so a threshold may have been lowered below a device's own clear threshold: then the threshold ends the event, instead
 * of a rule that silently does nothing.
 */
export function activeRuleOf(code: RuleCode, values: EventRuleValues): RuleSettings | undefined {
  if (!values.enabled) return undefined;
  const settings = ruleSettingsOf(values);
  const faults = ruleFaults(code, settings);
  const { clearThreshold: _, ...others } = settings;
  const used = faults.clearThreshold === undefined ? settings : others;
  return Object.keys(ruleFaults(code, used)).length === 0 ? used : undefined;
}
