// Whether a rule of data sync can be stored as it was sent. Pure.
import type { SyncRuleContent } from '../../../shared/protocol/api/sync/sync.ts';

/** What a rule of the caller's member group can name. */
export interface RuleChoices {
  readonly deviceGroups: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
}

/** A code for each field that is wrong. */
export function faultsOfRule(rule: SyncRuleContent, choices: RuleChoices): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (rule.name.trim() === '') faults.name = 'required';
  if (!rule.deviceGroups.every((group) => choices.deviceGroups.has(group))) faults.deviceGroups = 'unknown';
  if (!rule.devices.every((device) => choices.devices.has(device))) faults.devices = 'unknown';
  // A device that may use no network would wait forever.
  if (!rule.wifi && !rule.lan && !rule.mobile) faults.wifi = 'required';
  return faults;
}

/** The rule as it is stored: without blanks around the name, and without event types where it isn't for events. */
export function storedRule(rule: SyncRuleContent): SyncRuleContent {
  return { ...rule, name: rule.name.trim(), eventTypes: rule.choice === 'events' ? rule.eventTypes : [] };
}
