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
  /** As the member was called then. */
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
  /** Attempts that failed since the last one that did not. */
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

/** Written with its event, and kept as the log of what was sent. */
export interface NotifyMessageTable {
  id: Generated<number>;
  /** UUID, the same in every attempt. */
  key: string;
  member_group: number;
  rule: number;
  /** Names as they were then, here and below. */
  rule_name: string;
  /** From 1. */
  step: number;
  sender: number;
  sender_name: string;
  kind: number;
  /** 0: the one that comes with the product. */
  template: number;
  /** A locale: of messages to services and plain addresses. */
  language: string;
  /** Null for a service or a plain address. */
  user_id: number | null;
  /** Plain address; '' for a member, whose address is looked up when it is sent, and for a service. */
  address: string;
  /** As people read it. */
  recipient: string;
  /** The first of them in a digest. */
  event_id: number;
  event_begin_at_ms: number;
  /** 0: the gateway itself. */
  archive_number: number;
  device_id: string;
  device_name: string;
  type: string;
  severity: number;
  /** Of the digest. */
  events: number;
  /** What messages of the same digest have in common; '' for a message of one event. */
  digest_key: string;
  /** 1: quiet hours hold it up. */
  waits_quiet: number;
  /** After it is sent, it is sent again after so long until the event is answered; 0: not. */
  repeat_ms: number;
  /** When the chain of repeats ends. */
  repeat_until_ms: number;
  /** Number in MESSAGE_STATES. */
  state: number;
  created_at_ms: number;
  due_at_ms: number;
  /** When the first attempt was due; it is given up a day after it. */
  first_due_at_ms: number;
  finished_at_ms: Generated<number>;
  /** Since it was made, or was last sent again by hand. */
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
  /** JSON of PushSubscriptionContent: whoever knows it can write to the browser. */
  sealed: string;
  user_agent: string;
  created_at_ms: number;
  last_used_at_ms: number;
}
