import type { Generated } from 'kysely';

export interface NotifyTables {
  notify_rule: NotifyRuleTable;
  notify_sender: NotifySenderTable;
  notify_template: NotifyTemplateTable;
  notify_message: NotifyMessageTable;
  notify_digest_event: NotifyDigestEventTable;
  notify_attempt: NotifyAttemptTable;
  push_subscription: PushSubscriptionTable;
}

export interface NotifyRuleTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  enabled: number;
  /** JSON object: NotifyRuleContent without name and enabled. */
  settings: string;
  changed_at_ms: number;
  /** The member's name at that time. */
  changed_by: string;
  version: Generated<number>;
}

export interface NotifySenderTable {
  id: Generated<number>;
  name: string;
  /** Number in SENDER_KINDS, as in all tables of notifications. */
  kind: number;
  enabled: number;
  /** 0: no limit. */
  per_minute: number;
  /** JSON object: SENDER_SETTINGS of the kind. */
  settings: string;
  /** Sealed; '' for none. */
  secret: string;
  /** Failed attempts since the last success. */
  failures: Generated<number>;
  failing_since_ms: Generated<number>;
  last_sent_at_ms: Generated<number>;
  last_failure_at_ms: Generated<number>;
  last_failure: Generated<string>;
  version: Generated<number>;
}

export interface NotifyTemplateTable {
  id: Generated<number>;
  name: string;
  kind: number;
  /** A locale. */
  fallback: string;
  /** JSON object: TemplateTexts. */
  texts: string;
  changed_at_ms: number;
  changed_by: string;
  version: Generated<number>;
}

/** A message that is written with its event, and kept as a log of what was sent. */
export interface NotifyMessageTable {
  id: Generated<number>;
  /** UUID, the same in every attempt. */
  key: string;
  member_group: number;
  rule: number;
  /** The name at that time; this applies to names below too. */
  rule_name: string;
  /** From 1. */
  step: number;
  sender: number;
  sender_name: string;
  kind: number;
  /** 0: the built-in template. */
  template: number;
  /** The locale of messages to services and plain addresses. */
  language: string;
  /** Null for a service or a plain address. */
  user_id: number | null;
  /** Plain address; '' for a member, whose address is looked up on sending, and for a service. */
  address: string;
  /** The recipient in readable form. */
  recipient: string;
  /** For a digest, the first of its events. */
  event_id: number;
  event_begin_at_ms: number;
  /** 0: the gateway itself. */
  archive_number: number;
  device_id: string;
  device_name: string;
  type: string;
  severity: number;
  /** Number of events in the digest. */
  events: number;
  /** What messages of the same digest have in common; '' for a message of one event. */
  digest_key: string;
  /** 1: quiet hours delay it. */
  waits_quiet: number;
  /** Interval at which it is sent again until the event is answered; 0: it isn't repeated. */
  repeat_ms: number;
  /** When the chain of repeats ends. */
  repeat_until_ms: number;
  /** Number in MESSAGE_STATES. */
  state: number;
  created_at_ms: number;
  due_at_ms: number;
  /** When the first attempt was due; the message is given up a day later. */
  first_due_at_ms: number;
  finished_at_ms: Generated<number>;
  /** Attempts since it was created, or was last sent again by hand. */
  attempts: Generated<number>;
  /** 1: a member sent it again, so it is sent whether its event is answered or not, and is not repeated. */
  by_hand: Generated<number>;
  /** Set by the first attempt. */
  subject: Generated<string>;
  body: Generated<string>;
  answer: Generated<string>;
}

interface NotifyDigestEventTable {
  message_id: number;
  event_id: number;
  event_begin_at_ms: number;
}

interface NotifyAttemptTable {
  id: Generated<number>;
  message_id: number;
  at_ms: number;
  took_ms: number;
  /** Number in ATTEMPT_OUTCOMES. */
  outcome: number;
  answer: string;
}

/** A browser that a member allowed to show notifications. */
interface PushSubscriptionTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 in hex. */
  endpoint_hash: string;
  /** JSON of PushSubscriptionContent, sealed: anyone who knows it can write to the browser. */
  sealed: string;
  user_agent: string;
  created_at_ms: number;
  last_used_at_ms: number;
}
