// The messages that a rule that matches an event would send, to whom, and when. Pure.
import type { NotifyRule, RecipientNote } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { deviceOf, zoneOf } from './matchRule.ts';
import type { Hours, NotifyFacts, ToldEvent } from './notifyFacts.ts';
import { endOfQuiet } from './quietHours.ts';
import { type Recipient, recipientsOf } from './recipients.ts';
import type { PreparedRule } from './ruleIndex.ts';

const MINUTE_MS = 60_000;

export interface Telling {
  /** From 1. */
  readonly step: number;
  readonly isLastStep: boolean;
  readonly recipient: Recipient;
  /** `quiet-hours`: the recipient is notified at their end. */
  readonly note: RecipientNote;
  /** When the step is due, whatever else the message waits for. */
  readonly stepDueAtMs: number;
  /** When the message is sent, unless somebody answers before; 0: never. */
  readonly dueAtMs: number;
}

export interface TellingMoment {
  /** Time from which steps are counted. */
  readonly nowMs: number;
  readonly isLeftOut: (sender: number) => boolean;
}

type TellingFacts = Omit<NotifyFacts, 'rules'>;

/** The order is that of the steps. Whether the rule matches the event is another matter. */
export function tellingsOf(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: TellingFacts,
  moment: TellingMoment,
): Telling[] {
  const { steps } = prepared.rule;
  const all: Telling[] = [];
  let firstDueMs = 0;
  let afterMinutes = 0;
  for (const [at, step] of steps.entries()) {
    const escalatesAtMs = firstDueMs + (step.afterMinutes - afterMinutes) * MINUTE_MS;
    const tellings = tellingsOfStep(prepared, event, facts, { ...moment, at, escalatesAtMs });
    const told = tellings.filter(({ dueAtMs }) => dueAtMs > 0).map(({ dueAtMs }) => dueAtMs);
    firstDueMs = told.length === 0 ? escalatesAtMs : Math.min(...told);
    ({ afterMinutes } = step);
    all.push(...tellings);
  }
  return all;
}

interface StepMoment extends TellingMoment {
  /** Index of the step. */
  readonly at: number;
  /** The time at which the rule escalates, counted from when the previous step first reports the event. */
  readonly escalatesAtMs: number;
}

function tellingsOfStep(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: TellingFacts,
  { nowMs, isLeftOut, at, escalatesAtMs }: StepMoment,
): Telling[] {
  const { steps, digestMinutes } = prepared.rule;
  const step = steps[at];
  if (step === undefined) return [];
  const stepDueAtMs = nowMs + step.afterMinutes * MINUTE_MS;
  const collectedAtMs = stepDueAtMs + digestMinutes * MINUTE_MS;
  const place = { step: at + 1, isLastStep: at === steps.length - 1, stepDueAtMs };
  const ofGateway = event.device === undefined;
  return recipientsOf(facts, { prepared, step, ofGateway, nowMs, isLeftOut }).map((recipient): Telling => {
    if (recipient.note !== 'none') return { ...place, recipient, note: recipient.note, dueAtMs: 0 };
    const hours = quietHoursOf(prepared, event, facts, recipient);
    const endMs = endOfQuiet(hours, collectedAtMs);
    if (endMs === collectedAtMs) return { ...place, recipient, note: 'none', dueAtMs: endMs };
    // Quiet hours hold up several steps until the same moment: those notified first keep their time to answer.
    const dueAtMs = escalatesAtMs > endMs ? endOfQuiet(hours, escalatesAtMs) : endMs;
    return { ...place, recipient, note: 'quiet-hours', dueAtMs };
  });
}

/** Empty for a critical event that passes. */
export function quietHoursOf(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: Pick<NotifyFacts, 'devices'>,
  { member }: Pick<Recipient, 'member'>,
): readonly Hours[] {
  const { rule } = prepared;
  if (passesQuiet(rule, event)) return [];
  const own = rule.membersChoose && member !== undefined && member.quietHours.length > 0;
  return [
    ...(rule.quietHours.length === 0
      ? []
      : [{ schedule: rule.quietHours, timeZone: zoneOf(prepared, deviceOf(event, facts)) }]),
    ...(own ? [{ schedule: member.quietHours, timeZone: member.timeZone }] : []),
  ];
}

export function passesQuiet(
  { criticalPasses }: Pick<NotifyRule, 'criticalPasses'>,
  { severity }: Pick<ToldEvent, 'severity'>,
): boolean {
  return criticalPasses && severity === 'critical';
}
