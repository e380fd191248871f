// Whether a rule can be stored as it was sent. Pure.
import type { NotifyRuleContent, NotifyStep } from '../../../shared/protocol/api/notify/notifyRules.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import { isPersonal, STANDARD_TEMPLATE } from '../../../shared/protocol/notify/notifyWords.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import type { StoredChoices } from '../../store/notify/notifyChoices.ts';
import { kindOfAddress } from './recipients.ts';

/** Minimum interval of a repeat: below it, repeats would be a flood. */
const MIN_REPEAT_MINUTES = 5;

/** A code for each wrong field; for a step, named like `steps.0.members`. */
export type RuleFaults = Readonly<Record<string, FieldCode>>;

export function faultsOfRule(rule: NotifyRuleContent, choices: StoredChoices, types: ReadonlySet<string>): RuleFaults {
  const faults: Record<string, FieldCode> = {};
  if (rule.name === '') faults.name = 'required';
  if (!isAllOf(rule.types, types)) faults.types = 'unknown';
  if (!isAllOf(rule.deviceGroups, idsOf(choices.deviceGroups))) faults.deviceGroups = 'unknown';
  const devices = new Set(choices.devices.map(({ deviceid }) => deviceid));
  if (!isAllOf(rule.devices, devices)) faults.devices = 'unknown';
  if (!isTimeZone(rule.timeZone)) faults.timeZone = 'unknown';
  if (rule.repeatMinutes > 0 && rule.repeatMinutes < MIN_REPEAT_MINUTES) faults.repeatMinutes = 'out-of-range';
  let afterMinutes = -1;
  for (const [at, step] of rule.steps.entries()) {
    if (step.afterMinutes <= afterMinutes) faults[`steps.${at}.afterMinutes`] = 'out-of-range';
    afterMinutes = step.afterMinutes;
    for (const [field, code] of Object.entries(faultsOfStep(step, choices))) faults[`steps.${at}.${field}`] = code;
  }
  return faults;
}

function faultsOfStep(step: NotifyStep, choices: StoredChoices): RuleFaults {
  const faults: Record<string, FieldCode> = {};
  if (!step.deliveries.every((delivery) => isDelivery(delivery, choices))) faults.deliveries = 'unknown';
  if (!isAllOf(step.members, idsOf(choices.members))) faults.members = 'unknown';
  if (!isAllOf(step.roles, idsOf(choices.roles))) faults.roles = 'unknown';
  if (step.addresses.some((address) => kindOfAddress(address) === undefined)) faults.addresses = 'bad-format';
  if (!hasRecipients(step, choices)) faults.recipients = 'required';
  return faults;
}

function isDelivery(
  { sender, template }: NotifyStep['deliveries'][number],
  { senders, templates }: StoredChoices,
): boolean {
  const kind = senders.find(({ id }) => id === sender)?.kind;
  if (kind === undefined || template === STANDARD_TEMPLATE) return kind !== undefined;
  return templates.some((each) => each.id === template && each.kind === kind);
}

/** Whether each sender that reaches people has somebody to reach. */
function hasRecipients({ deliveries, members, roles, addresses }: NotifyStep, { senders }: StoredChoices): boolean {
  if (members.length > 0 || roles.length > 0) return true;
  return deliveries.every(({ sender }) => {
    const kind = senders.find(({ id }) => id === sender)?.kind;
    return kind === undefined || !isPersonal(kind) || addresses.some((address) => kindOfAddress(address) === kind);
  });
}

function isAllOf<Value>(values: readonly Value[], known: ReadonlySet<Value>): boolean {
  return values.every((value) => known.has(value));
}

function idsOf(records: readonly { readonly id: number }[]): ReadonlySet<number> {
  return new Set(records.map(({ id }) => id));
}
