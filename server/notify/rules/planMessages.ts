// The messages that one event causes, over all rules. Pure except for the keys.
import type { EventMessage, PlannedMessage } from '../../store/notify/plannedMessage.ts';
import { deviceOf, doesMatch, type MatchMoment, ownersOf } from './matchRule.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import type { PreparedRule } from './ruleIndex.ts';
import { passesQuiet, type Telling, tellingsOf } from './tellings.ts';

const MINUTE_MS = 60_000;
/** Time after which repeats of one message end, whether somebody has answered or not. */
export const REPEATED_FOR_MS = 24 * 60 * MINUTE_MS;

export interface PlanningMoment extends MatchMoment {
  readonly isFailing: (sender: number) => boolean;
  /** Number of messages of the first steps after which no more rules are evaluated: messages of later rules would be left out. */
  readonly enough: number;
  /** A UUID. */
  readonly newKey: () => string;
}

export interface PlannedEvent {
  readonly messages: readonly Omit<EventMessage, 'event'>[];
  /** Ids of the rules that report the event. */
  readonly rules: readonly number[];
}

export function planMessages(event: ToldEvent, facts: NotifyFacts, moment: PlanningMoment): PlannedEvent {
  let firstSteps = 0;
  const planned: { messages: Omit<EventMessage, 'event'>[]; rules: number[] } = { messages: [], rules: [] };
  for (const prepared of facts.rules.candidates(event.type, ownersOf(event, facts))) {
    if (firstSteps >= moment.enough) break;
    if (!doesMatch(prepared, event, facts, moment)) continue;
    const messages = messagesOf(prepared, event, facts, moment);
    if (messages.length === 0) continue;
    firstSteps += messages.filter(({ message }) => message.step === 1).length;
    planned.messages.push(...messages);
    planned.rules.push(prepared.rule.id);
  }
  return planned;
}

function messagesOf(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: NotifyFacts,
  moment: PlanningMoment,
): PlannedEvent['messages'] {
  const isLeftOut = leftOutOf(event, moment.isFailing);
  const tellings = tellingsOf(prepared, event, facts, { nowMs: moment.nowMs, isLeftOut });
  return tellings
    .filter(({ dueAtMs }) => dueAtMs > 0)
    .map((telling) => ({
      message: toMessage(prepared, event, telling, { facts, moment }),
      joinsFromMs: telling.stepDueAtMs,
    }));
}

/** A sender that fails is not used to report its own failure. */
export function leftOutOf(
  { type }: Pick<ToldEvent, 'type'>,
  isFailing: (sender: number) => boolean,
): (sender: number) => boolean {
  return type === 'sender-failing' ? isFailing : () => false;
}

function toMessage(
  prepared: PreparedRule,
  event: ToldEvent,
  telling: Telling,
  { facts, moment }: { readonly facts: NotifyFacts; readonly moment: PlanningMoment },
): PlannedMessage {
  const { rule } = prepared;
  const { recipient, dueAtMs, step } = telling;
  const { sender, member } = recipient;
  const device = deviceOf(event, facts);
  const repeatMs = telling.isLastStep ? rule.repeatMinutes * MINUTE_MS : 0;
  return {
    key: moment.newKey(),
    memberGroup: rule.memberGroup,
    rule: rule.id,
    ruleName: rule.name,
    step,
    sender: sender.id,
    senderName: sender.name,
    kind: sender.kind,
    template: recipient.template,
    language: rule.language,
    userId: member?.id,
    address: recipient.address,
    recipient: recipient.name,
    eventBeginAtMs: event.beginAtMs,
    archiveNumber: event.device?.archiveNumber ?? 0,
    deviceId: device?.deviceId ?? '',
    deviceName: device?.name ?? '',
    type: event.type,
    severity: event.severity,
    digestKey: rule.digestMinutes === 0 ? '' : digestKeyOf(prepared, event, telling),
    waitsQuiet: telling.note === 'quiet-hours',
    repeatMs,
    repeatUntilMs: repeatMs === 0 ? 0 : dueAtMs + REPEATED_FOR_MS,
    createdAtMs: moment.nowMs,
    dueAtMs,
  };
}

/** Critical events that pass quiet hours don't share a digest with events that don't. */
function digestKeyOf({ rule }: PreparedRule, event: ToldEvent, { step, recipient }: Telling): string {
  const { sender, template, member, address } = recipient;
  const whom = member === undefined ? address : `member ${member.id}`;
  const passing = passesQuiet(rule, event) ? 1 : 0;
  return [rule.id, step, sender.id, template, passing, whom].join('/');
}
