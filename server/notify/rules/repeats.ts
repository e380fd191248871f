// When a message is repeated because nobody has answered. Pure.
import type { PlannedMessage } from '../../store/notify/plannedMessage.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import { endOfQuiet } from './quietHours.ts';
import { quietHoursOf } from './tellings.ts';

const MINUTE_MS = 60_000;

export type Repeated = Pick<
  PlannedMessage,
  'rule' | 'step' | 'userId' | 'archiveNumber' | 'type' | 'severity' | 'eventBeginAtMs' | 'repeatMs' | 'repeatUntilMs'
>;

/** Uses the present rule; only its last step is repeated. Undefined: no repeat, or not within the day in which it is allowed. */
export function repeatDueAt(message: Repeated, sentAtMs: number, facts: NotifyFacts): number | undefined {
  const prepared = facts.rules.find(message.rule);
  if (message.repeatMs === 0 || prepared === undefined) return undefined;
  const { enabled, repeatMinutes, steps } = prepared.rule;
  if (!enabled || repeatMinutes === 0 || message.step !== steps.length) return undefined;
  const member = message.userId === undefined ? undefined : facts.members.get(message.userId);
  const hours = quietHoursOf(prepared, eventOf(message), facts, { member });
  const dueAtMs = endOfQuiet(hours, sentAtMs + repeatMinutes * MINUTE_MS);
  return dueAtMs <= message.repeatUntilMs ? dueAtMs : undefined;
}

function eventOf({ archiveNumber, type, severity, eventBeginAtMs }: Repeated): ToldEvent {
  const device = archiveNumber === 0 ? undefined : { archiveNumber };
  return { device, type, severity, beginAtMs: eventBeginAtMs, isLate: false };
}
