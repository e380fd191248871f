// The words of notifications in the user's language. The page loads the namespace `NotifyWords`.
import i18next from 'i18next';
import type { RecipientNote, RuleMiss } from '../protocol/api/notify/notifyRules.ts';
import {
  ATTEMPT_OUTCOME_NAMES,
  MESSAGE_STATE_NAMES,
  RECIPIENT_NOTE_NAMES,
  RULE_MISS_NAMES,
  SENDER_KIND_NAMES,
} from '../protocol/notify/notifyNames.ts';
import type { AttemptOutcome, MessageState, SenderKind } from '../protocol/notify/notifyWords.ts';

export function senderKindText(kind: SenderKind): string {
  return wordText(SENDER_KIND_NAMES[kind]);
}

export function messageStateText(state: MessageState): string {
  return wordText(MESSAGE_STATE_NAMES[state]);
}

export function attemptOutcomeText(outcome: AttemptOutcome): string {
  return wordText(ATTEMPT_OUTCOME_NAMES[outcome]);
}

export function ruleMissText(miss: RuleMiss): string {
  return wordText(RULE_MISS_NAMES[miss]);
}

/** '' where there is nothing to say. */
export function recipientNoteText(note: RecipientNote): string {
  return note === 'none' ? '' : wordText(RECIPIENT_NOTE_NAMES[note]);
}

function wordText(name: string): string {
  return i18next.t(name, { ns: 'NotifyWords' });
}
