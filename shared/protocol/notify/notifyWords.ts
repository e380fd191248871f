// The words that classify notifications. The order of kinds and states is that of their numbers in the database.

/** How a sender delivers. */
export const SENDER_KINDS = ['email', 'webhook', 'sms', 'syslog', 'push'] as const;
export type SenderKind = (typeof SENDER_KINDS)[number];

/** Kinds that reach people; the others get one message for each event, whoever the recipients are. */
export const PERSONAL_KINDS = ['email', 'sms', 'push'] as const satisfies readonly SenderKind[];
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

export function isPersonal(kind: SenderKind): kind is PersonalKind {
  return (PERSONAL_KINDS as readonly SenderKind[]).includes(kind);
}

/** `waiting`: for its time, or for the next attempt. `failed`: given up. `canceled`: answered before it was sent, or by hand. */
export const MESSAGE_STATES = ['waiting', 'sent', 'failed', 'canceled'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 * The answer that is stored with a canceled message; it may also be who answered, a note of why the recipient cannot be notified,
 * or a text.
 * `event-gone`: the event is no longer kept, or its device is no longer the member group's. `no-sender`: the sender was deleted.
 */
const CANCEL_REASONS = ['answered', 'by-hand', 'event-gone', 'no-sender'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

const ANSWERED_BY = 'answered by ';

/** The answer that is stored with a message that a member's act canceled. */
export function answeredBy(username: string): string {
  return ANSWERED_BY + username;
}

/** The member's user name; undefined for any other answer. */
export function answererOf(answer: string): string | undefined {
  return answer.startsWith(ANSWERED_BY) ? answer.slice(ANSWERED_BY.length) : undefined;
}

/**
 * `retry`: it may work later. `refused`: the other side will never take it. `unknown`: the other side was given all of it, and did not
 * say what became of it.
 */
export const ATTEMPT_OUTCOMES = ['sent', 'retry', 'refused', 'unknown'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The template of each kind that comes with the product, in all languages. */
export const STANDARD_TEMPLATE = 0;
