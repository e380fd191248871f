// What the words of notifications are called: English, and the keys of their translations (NotifyWords.json).
import type { RecipientNote, RuleMiss } from '../api/notify/notifyRules.ts';
import type { AttemptOutcome, MessageState, SenderKind } from './notifyWords.ts';

export const SENDER_KIND_NAMES: Readonly<Record<SenderKind, string>> = {
  email: 'Email',
  webhook: 'Webhook',
  sms: 'SMS',
  syslog: 'Syslog',
  push: 'Web push',
};

export const MESSAGE_STATE_NAMES: Readonly<Record<MessageState, string>> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  canceled: 'Canceled',
};

export const ATTEMPT_OUTCOME_NAMES: Readonly<Record<AttemptOutcome, string>> = {
  sent: 'Sent',
  retry: 'Tried again later',
  refused: 'Refused',
  unknown: 'No answer, may have been delivered',
};

export const RULE_MISS_NAMES: Readonly<Record<RuleMiss, string>> = {
  disabled: 'The rule is off.',
  'other-device': "The rule doesn't cover the device.",
  'other-type': "The rule doesn't cover the event type.",
  'other-severity': "The rule doesn't cover the severity.",
  'not-scheduled': 'The event began outside the hours of the rule.',
  'too-late': 'The event arrived more than 15 minutes late.',
  interval: 'The rule had sent a message of this type for the device shortly before.',
  'no-recipient': 'The rule has no recipient who can be reached.',
};

/** '' where there is nothing to say. */
export const RECIPIENT_NOTE_NAMES: Readonly<Record<RecipientNote, string>> = {
  none: '',
  'quiet-hours': 'Waits until quiet hours end',
  'no-address': 'No address for this sender',
  'no-browser': 'No browser allows push messages',
  'not-chosen': "Doesn't want messages this way",
  'not-in-group': 'Not in the member group',
  'no-system': 'No permission for server events',
  'disabled-sender': 'Sender is off',
  'no-sender': 'Sender deleted',
};

export const NOTIFY_WORDS: readonly string[] = [
  SENDER_KIND_NAMES,
  MESSAGE_STATE_NAMES,
  ATTEMPT_OUTCOME_NAMES,
  RULE_MISS_NAMES,
  RECIPIENT_NOTE_NAMES,
].flatMap((names) => Object.values(names).filter((name) => name !== ''));
