// The form of a rule as data: each field with its value, and whether the place sets it itself. Pure.
import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import {
  EVENT_RULE_FIELDS,
  EVENTS_AN_HOUR_RANGE,
  type EventRuleField,
  type EventRuleSettings,
  type EventRuleValues,
  MERGE_SECONDS,
  RECORD_SECONDS,
} from '../../../../shared/protocol/events/eventRules.ts';
import {
  hasRule,
  type RuleFaults,
  type RuleNumberName,
  type RuleSettings,
  ruleFaults,
} from '../../../../shared/protocol/events/ruleSettings.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { RULE_NUMBERS, type ShownNumber, shownNumber, toKept, toShown } from './ruleNumbers.ts';

interface Setting<Value> {
  /** False when the value is the inherited one. */
  readonly isOwn: boolean;
  readonly value: Value;
}

/** What inputs hold: numbers in the unit that is shown, null where nothing is typed; channels as texts. */
type Shown<Value> = Value extends boolean
  ? boolean
  : Value extends readonly number[]
    ? readonly string[]
    : Value extends number
      ? number | null
      : Value;

export type RuleDraft = { readonly [Field in EventRuleField]: Setting<Shown<EventRuleValues[Field]>> };

const CHANNEL_FIELDS = ['recordChannels', 'snapshotChannels'] as const;

/** Ranges of the whole numbers that every type has. */
export const COUNT_RANGES = {
  mergeSeconds: MERGE_SECONDS,
  eventsAnHour: EVENTS_AN_HOUR_RANGE,
  recordSeconds: RECORD_SECONDS,
} as const;
export type CountField = keyof typeof COUNT_RANGES;
const COUNT_FIELDS = Object.keys(COUNT_RANGES) as readonly CountField[];

function isRuleNumber(field: EventRuleField): field is RuleNumberName {
  return RULE_NUMBERS.some((name) => name === field);
}

function isChannels(field: EventRuleField): boolean {
  return CHANNEL_FIELDS.some((name) => name === field);
}

export function draftOfRule({ type, own, values }: Pick<EventRuleRow, 'type' | 'own' | 'values'>): RuleDraft {
  const fields = EVENT_RULE_FIELDS.map((field) => {
    const setting: Setting<unknown> = { isOwn: own[field] !== undefined, value: shownValue(type, field, values) };
    return [field, setting];
  });
  return Object.fromEntries(fields) as RuleDraft;
}

/** A draft with the value that the place would inherit in each field. */
export function inheritedDraft({ type, inherited }: Pick<EventRuleRow, 'type' | 'inherited'>): RuleDraft {
  return draftOfRule({ type, own: {}, values: inherited });
}

function shownValue(type: string, field: EventRuleField, values: EventRuleValues): unknown {
  if (isRuleNumber(field)) return toShown(type, field, values[field]);
  return isChannels(field) ? (values[field] as readonly number[]).map(String) : values[field];
}

/** The settings of a draft without problems: the fields that the place sets itself. */
export function settingsOfDraft(type: string, draft: RuleDraft): EventRuleSettings {
  const own = EVENT_RULE_FIELDS.filter((field) => draft[field].isOwn);
  return Object.fromEntries(own.map((field) => [field, keptValue(type, field, draft)]));
}

function keptValue(type: string, field: EventRuleField, draft: RuleDraft): unknown {
  if (isRuleNumber(field)) return toKept(type, field, draft[field].value);
  const { value } = draft[field];
  if (isChannels(field)) return (value as readonly string[]).map(Number).sort((left, right) => left - right);
  return field === 'driverText' ? draft.driverText.value.trim() : value;
}

export interface RuleTexts {
  readonly range: (minimum: number, maximum: number) => string;
  readonly wholeRange: (minimum: number, maximum: number) => string;
  readonly noThreshold: string;
  readonly noSchedule: string;
}

/** Checks the values that would apply, inherited ones included. */
export function checkRule(type: string, draft: RuleDraft, texts: RuleTexts): Problems<RuleDraft> {
  const counts = COUNT_FIELDS.map((field) => {
    const { minimum, maximum } = COUNT_RANGES[field];
    const { value } = draft[field];
    const isFine = value !== null && Number.isInteger(value) && value >= minimum && value <= maximum;
    return [field, isFine ? undefined : texts.wholeRange(minimum, maximum)] as const;
  });
  return { ...Object.fromEntries(counts), ...ruleProblems(type, draft, texts) };
}

function ruleProblems(type: string, draft: RuleDraft, texts: RuleTexts): Problems<RuleDraft> {
  if (!hasRule(type)) return {};
  const faults = ruleFaults(type, settingsInForce(type, draft));
  const problems = RULE_NUMBERS.map((name) => [name, numberProblem(type, name, { draft, faults, texts })] as const);
  // A rule that is turned off may still lack hours.
  const lacksHours = draft.enabled.value && faults.schedule !== undefined;
  return { ...Object.fromEntries(problems), schedule: lacksHours ? texts.noSchedule : undefined };
}

function settingsInForce(type: string, draft: RuleDraft): RuleSettings {
  const numbers = RULE_NUMBERS.flatMap((name) => {
    const value = toKept(type, name, draft[name].value);
    return value === null ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(numbers), schedule: draft.schedule.value };
}

interface Checked {
  readonly draft: RuleDraft;
  readonly faults: RuleFaults;
  readonly texts: RuleTexts;
}

function numberProblem(type: string, name: RuleNumberName, { draft, faults, texts }: Checked): string | undefined {
  const number = shownNumber(type, name);
  if (number === undefined) return undefined;
  const { value } = draft[name];
  if (faults[name] === 'required') return draft.enabled.value ? texts.noThreshold : undefined;
  const isMissing = value === null && !number.isOptional;
  if (!isMissing && faults[name] === undefined) return undefined;
  return texts.range(number.minimum, highestOf(type, name, draft) ?? number.maximum);
}

/** The highest value: the threshold, for numbers that can't be greater than it. */
function highestOf(type: string, name: RuleNumberName, draft: RuleDraft): number | undefined {
  const { value: threshold } = draft.threshold;
  if (!hasRule(type) || name === 'threshold' || threshold === null || Number.isNaN(threshold)) return undefined;
  const number = shownNumber(type, name) as ShownNumber;
  const isBound = ruleFaults(type, { threshold, [name]: number.maximum })[name] !== undefined;
  return isBound ? Math.min(number.maximum, threshold) : undefined;
}
