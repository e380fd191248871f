// The form of a rule as data: ids as texts, minutes that inputs hold, null where nothing is typed. Pure.
import {
  MAX_RULE_NAME,
  type NotifyDelivery,
  type NotifyRule,
  type NotifyRuleContent,
  type NotifyStep,
} from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { SERVER_PROBLEMS } from '../../../../shared/protocol/health/healthEvents.ts';
import type { Locale } from '../../../../shared/protocol/locale.ts';

export interface DeliveryDraft {
  /** '' until one is selected. */
  readonly sender: string;
  readonly template: string;
}

export interface StepDraft {
  readonly afterMinutes: number | null;
  readonly deliveries: readonly DeliveryDraft[];
  readonly members: readonly string[];
  readonly roles: readonly string[];
  readonly addresses: readonly string[];
}

/** The minutes that can be null, for none. */
export const OPTIONAL_MINUTES = ['intervalMinutes', 'repeatMinutes', 'digestMinutes'] as const;
export type OptionalMinutes = (typeof OPTIONAL_MINUTES)[number];

export interface RuleDraft extends Readonly<Record<OptionalMinutes, number | null>> {
  readonly name: string;
  readonly enabled: boolean;
  readonly types: readonly string[];
  readonly severities: readonly Severity[];
  readonly deviceGroups: readonly string[];
  readonly devices: readonly string[];
  readonly coversGateway: boolean;
  readonly schedule: WeekSchedule;
  readonly timeZone: string;
  readonly steps: readonly StepDraft[];
  readonly quietHours: WeekSchedule;
  readonly criticalPasses: boolean;
  readonly membersChoose: boolean;
  readonly language: Locale;
}

/** The template that comes with the product. */
export const STANDARD = '0';
export const NO_DELIVERY: DeliveryDraft = { sender: '', template: STANDARD };
const LATER_STEP_MINUTES = 10;

export function firstStep(afterMinutes = 0): StepDraft {
  return { afterMinutes, deliveries: [NO_DELIVERY], members: [], roles: [], addresses: [] };
}

/** The step after the last one, which is later by LATER_STEP_MINUTES. */
export function nextStep(steps: readonly StepDraft[]): StepDraft {
  const last = steps.at(-1);
  const { deliveries } = last ?? firstStep();
  return { ...firstStep((last?.afterMinutes ?? 0) + LATER_STEP_MINUTES), deliveries };
}

export function newRule(language: Locale): RuleDraft {
  return {
    name: '',
    enabled: true,
    types: [],
    severities: ['critical', 'major'],
    deviceGroups: [],
    devices: [],
    coversGateway: false,
    schedule: [],
    timeZone: '',
    steps: [firstStep()],
    intervalMinutes: null,
    repeatMinutes: null,
    digestMinutes: null,
    quietHours: [],
    criticalPasses: true,
    membersChoose: true,
    language,
  };
}

/** A rule for problems that the server finds with itself, complete except for its recipients. */
export function serverProblemsRule(language: Locale, name: string): RuleDraft {
  return { ...newRule(language), name, types: SERVER_PROBLEMS, severities: [], coversGateway: true };
}

export function draftOfRule(rule: NotifyRule | NotifyRuleContent): RuleDraft {
  const { name, enabled, types, severities, devices, coversGateway, schedule, timeZone, quietHours } = rule;
  const { criticalPasses, membersChoose, language } = rule;
  return {
    name,
    enabled,
    types,
    severities,
    devices,
    coversGateway,
    schedule,
    timeZone,
    quietHours,
    criticalPasses,
    membersChoose,
    language,
    deviceGroups: rule.deviceGroups.map(String),
    steps: rule.steps.map(draftOfStep),
    intervalMinutes: rule.intervalMinutes || null,
    repeatMinutes: rule.repeatMinutes || null,
    digestMinutes: rule.digestMinutes || null,
  };
}

function draftOfStep({ afterMinutes, deliveries, members, roles, addresses }: NotifyStep): StepDraft {
  return {
    afterMinutes,
    deliveries: deliveries.map(({ sender, template }) => ({ sender: String(sender), template: String(template) })),
    members: members.map(String),
    roles: roles.map(String),
    addresses,
  };
}

/** A copy of the rule with a name of its own. */
export function copyOfRule(rule: NotifyRule, name: string): RuleDraft {
  return { ...draftOfRule(rule), name: name.slice(0, MAX_RULE_NAME) };
}

/** The content of a draft without problems. */
export function contentOfDraft(draft: RuleDraft): NotifyRuleContent {
  const { types, severities, devices, schedule, quietHours } = draft;
  return {
    ...draft,
    types: [...types],
    severities: [...severities],
    devices: [...devices],
    schedule: [...schedule],
    quietHours: [...quietHours],
    name: draft.name.trim(),
    deviceGroups: draft.deviceGroups.map(Number),
    steps: draft.steps.map(contentOfStep),
    intervalMinutes: draft.intervalMinutes ?? 0,
    repeatMinutes: draft.repeatMinutes ?? 0,
    digestMinutes: draft.digestMinutes ?? 0,
  };
}

function contentOfStep({ afterMinutes, deliveries, members, roles, addresses }: StepDraft): NotifyStep {
  return {
    afterMinutes: afterMinutes ?? 0,
    deliveries: deliveries.map(
      ({ sender, template }): NotifyDelivery => ({ sender: Number(sender), template: Number(template) }),
    ),
    members: members.map(Number),
    roles: roles.map(Number),
    addresses: [...addresses],
  };
}
