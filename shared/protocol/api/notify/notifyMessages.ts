// Messages: what was sent to whom, and what the other side answered. Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { SEVERITIES } from '../../events/eventWords.ts';
import { ATTEMPT_OUTCOMES, MESSAGE_STATES, SENDER_KINDS } from '../../notify/notifyWords.ts';
import { Count, closed, Id, IdText, OneOf, type RecordOf, ShortText, Text, Timestamp } from '../records.ts';

export const NOTIFY_MESSAGES_PATH = '/api/eventnotify/messages';
export const NOTIFY_RESEND_PATH = '/api/eventnotify/resend';
export const NOTIFY_CANCEL_PATH = '/api/eventnotify/cancel';
export const NOTIFY_COUNTS_PATH = '/api/eventnotify/counts';

export const NOTIFY_MESSAGE_SORTS = ['createdAtMs'] as const;
export type NotifyMessageSort = (typeof NOTIFY_MESSAGE_SORTS)[number];

export const NotifyMessage = Type.Object({
  id: Id,
  /** The same in every attempt, so that the other side can recognize a repeat. */
  key: Text,
  /** 0: the rule no longer exists. */
  rule: Id,
  ruleName: Text,
  /** From 1. */
  step: Count,
  sender: Id,
  senderName: Text,
  kind: OneOf(SENDER_KINDS),
  /** Recipient in readable form; '' for a service. */
  recipient: Text,
  state: OneOf(MESSAGE_STATES),
  /** The first event, if the message covers several. */
  event: Id,
  events: Count,
  type: Text,
  severity: OneOf(SEVERITIES, 'info'),
  /** '' for an event of the gateway itself. */
  deviceid: Text,
  deviceName: Text,
  createdAtMs: Timestamp,
  /** When it is, or was, to be sent next. */
  dueAtMs: Timestamp,
  /** When it was sent, given up or canceled. */
  finishedAtMs: Timestamp,
  attempts: Count,
  /** The last answer of the other side, or of the connection. */
  answer: Text,
  subject: Text,
});
export type NotifyMessage = RecordOf<typeof NotifyMessage>;

export const NotifyMessageDetail = Type.Object({
  message: NotifyMessage,
  body: Text,
  attempts: Type.Array(
    Type.Object({ atMs: Timestamp, tookMs: Count, outcome: OneOf(ATTEMPT_OUTCOMES, 'retry'), answer: Text }),
  ),
});
export type NotifyMessageDetail = RecordOf<typeof NotifyMessageDetail>;

const moment = Type.String({ pattern: '^\\d{1,15}$' });

export const NotifyMessageFilters = {
  /** Half-open range of the creation time. */
  from: Type.Optional(moment),
  to: Type.Optional(moment),
  state: Type.Optional(OneOf(MESSAGE_STATES)),
  sender: Type.Optional(IdText),
  rule: Type.Optional(IdText),
  event: Type.Optional(IdText),
  deviceid: Type.Optional(ShortText),
};

/** Counts for the member group. */
export const NotifyCounts = Type.Object({
  waiting: Count,
  /** In the last 24 hours. */
  sent: Count,
  failed: Count,
  canceled: Count,
});
export type NotifyCounts = RecordOf<typeof NotifyCounts>;

export const MESSAGES_AT_ONCE = 100;
export const MessageIds = Type.Object(
  { ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MESSAGES_AT_ONCE, uniqueItems: true }) },
  closed,
);
/** The number of messages that were changed. */
export const MessagesChanged = Type.Object({ changed: Count });
