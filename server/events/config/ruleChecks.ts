// What is wrong with the settings that an administrator sends for a place. Pure.
import {
  EVENT_RULE_FIELDS,
  type EventRuleField,
  type EventRuleSettings,
  type EventRuleValues,
} from '../../../shared/protocol/events/eventRules.ts';
import { hasRule, RULE_FIELDS, type RuleCode, ruleFaults } from '../../../shared/protocol/events/ruleSettings.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import { isOfGateway } from './gatewayTypes.ts';
import { isReported } from './reportedTypes.ts';
import { RULE_NUMBERS, ruleSettingsOf } from './ruleDefaults.ts';

/** What is done at the device, or asked of its terminal. */
const DEVICE_FIELDS = [
  'recordChannels',
  'recordSeconds',
  'snapshotChannels',
  'requestsFiles',
  'driverText',
  'isSpoken',
  'confirms',
] as const satisfies readonly EventRuleField[];

export type SettingsFaults = Partial<Readonly<Record<EventRuleField, FieldCode>>>;

/** The settings in the form in which they are stored: channels in ascending order, the text without spaces around it. */
export function tidySettings(settings: EventRuleSettings): EventRuleSettings {
  const { recordChannels, snapshotChannels, driverText } = settings;
  return {
    ...settings,
    ...(recordChannels && { recordChannels: ascending(recordChannels) }),
    ...(snapshotChannels && { snapshotChannels: ascending(snapshotChannels) }),
    ...(driverText !== undefined && { driverText: driverText.trim() }),
  };
}

/**
 * Whether a change makes the gateway send drivers a text that the place had not set before, which needs `devicetext`. Leaving a text
 * unchanged or removing it needs no permission.
 */
export function setsDriverText(
  { driverText = '' }: Pick<EventRuleSettings, 'driverText'>,
  own: Pick<EventRuleSettings, 'driverText'>,
): boolean {
  return driverText !== '' && driverText !== own.driverText;
}

/** Fields that the type doesn't use are no settings of it. `values`: the resulting values at the place, with these settings. */
export function faultsOfSettings(type: string, settings: EventRuleSettings, values: EventRuleValues): SettingsFaults {
  if (isOfGateway(type)) return notAllowed(settings, [...RULE_NUMBERS, 'schedule', ...DEVICE_FIELDS]);
  const unreported = isReported(type) ? {} : notAllowed(settings, ['requestsFiles', 'confirms']);
  if (!hasRule(type)) return { ...unreported, ...notAllowed(settings, [...RULE_NUMBERS, 'schedule']) };
  const useless = RULE_NUMBERS.filter((name) => RULE_FIELDS[type][name] === undefined);
  const given = { ...missingNumbers(type, settings), ...notAllowed(settings, useless) };
  return { ...faultsInForce(type, values), ...given, ...unreported };
}

/** A rule that is off may lack its hours or its limit: it isn't evaluated. */
function faultsInForce(type: RuleCode, values: EventRuleValues): SettingsFaults {
  const faults = Object.entries(ruleFaults(type, ruleSettingsOf(values)));
  return Object.fromEntries(faults.filter(([, code]) => values.enabled || code !== 'required'));
}

/** Only some numbers can be without a limit. */
function missingNumbers(type: RuleCode, settings: EventRuleSettings): SettingsFaults {
  const missing = RULE_NUMBERS.filter((name) => {
    const field = RULE_FIELDS[type][name];
    return settings[name] === null && field !== undefined && field.isOptional === undefined;
  });
  return Object.fromEntries(missing.map((name) => [name, 'required']));
}

function notAllowed(settings: EventRuleSettings, fields: readonly EventRuleField[]): SettingsFaults {
  const given = EVENT_RULE_FIELDS.filter((field) => fields.includes(field) && settings[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, 'not-allowed']));
}

function ascending(channels: readonly number[]): number[] {
  return channels.toSorted((left, right) => left - right);
}
