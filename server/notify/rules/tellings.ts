// What a rule that matches an event would send to whom, and when. Pure.
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
  /** `quiet-hours`: it is told, at their end. */
  readonly note: RecipientNote;
  /** When the step is due, whatever else it waits for. */
  readonly stepDueAtMs: number;
  /** When it is sent, unless somebody answers before; 0: never. */
  readonly dueAtMs: number;
}

export interface TellingMoment {
  /** Steps are counted from it. */
  readonly nowMs: number;
  readonly isLeftOut: (sender: number) => boolean;
}

/** In the order of the steps. Whether the rule matches the event is another matter. */
export function tellingsOf(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: Omit<NotifyFacts, 'rules'>,
  { nowMs, isLeftOut }: TellingMoment,
): Telling[] {
  const { rule } = prepared;
  const ofGateway = event.device === undefined;
  return rule.steps.flatMap((step, at) => {
    const stepDueAtMs = nowMs + step.afterMinutes * MINUTE_MS;
    const collectedAtMs = stepDueAtMs + rule.digestMinutes * MINUTE_MS;
    const place = { step: at + 1, isLastStep: at === rule.steps.length - 1, stepDueAtMs };
    return recipientsOf(facts, { prepared, step, ofGateway, nowMs, isLeftOut }).map((recipient): Telling => {
      if (recipient.note !== 'none') return { ...place, recipient, note: recipient.note, dueAtMs: 0 };
      const dueAtMs = endOfQuiet(quietHoursOf(prepared, event, facts, recipient), collectedAtMs);
      return { ...place, recipient, note: dueAtMs > collectedAtMs ? 'quiet-hours' : 'none', dueAtMs };
    });
  });
}

/** None for a critical event that passes. */
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
