// Explains one past event: which rules of a member group report it, which don't and why, and who would be notified. Pure.
import type { ExplainedRecipient, ExplainedRule } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { matchRule } from './matchRule.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import { leftOutOf } from './planMessages.ts';
import type { PreparedRule } from './ruleIndex.ts';
import { type Telling, tellingsOf } from './tellings.ts';

export interface ExplainMoment {
  readonly memberGroup: number;
  /** When the gateway received the event; Infinity: so late that it is not known. */
  readonly heardAtMs: number;
  /** Times by the id of the rule. */
  readonly lastToldAtMs: ReadonlyMap<number, number>;
  readonly isFailing: (sender: number) => boolean;
}

/** Uses the present rules, members and senders. */
export function explainRules(event: ToldEvent, facts: NotifyFacts, moment: ExplainMoment): ExplainedRule[] {
  const own = facts.rules.all.filter(({ rule }) => rule.memberGroup === moment.memberGroup);
  return own.map((prepared) => explainRule(prepared, event, facts, moment));
}

function explainRule(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: NotifyFacts,
  { heardAtMs, lastToldAtMs, isFailing }: ExplainMoment,
): ExplainedRule {
  const { id, name } = prepared.rule;
  const misses = matchRule(prepared, event, facts, {
    nowMs: heardAtMs,
    lastToldAtMs: (rule) => lastToldAtMs.get(rule),
  });
  if (misses.length > 0) return { rule: id, name, misses, recipients: [] };
  const isLeftOut = leftOutOf(event, isFailing);
  const tellings = tellingsOf(prepared, event, facts, { nowMs: heardAtMs, isLeftOut });
  const isAnybodyTold = tellings.some(({ dueAtMs }) => dueAtMs > 0);
  return { rule: id, name, misses: isAnybodyTold ? [] : ['no-recipient'], recipients: tellings.map(toExplained) };
}

function toExplained({ step, recipient, dueAtMs, note }: Telling): ExplainedRecipient {
  const { sender, name } = recipient;
  return {
    step,
    sender: sender.id,
    senderName: sender.name,
    kind: sender.kind,
    recipient: name,
    atMs: wallMs(dueAtMs),
    note,
  };
}
