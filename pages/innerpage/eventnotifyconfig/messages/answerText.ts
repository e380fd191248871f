// The other side's answer to a message, or the reason why it was canceled, in words.
import i18next from 'i18next';
import { recipientNoteText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { RECIPIENT_NOTES } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { answererOf } from '../../../../shared/protocol/notify/notifyWords.ts';

/** For a canceled message the gateway gives a code; any other answer is shown unchanged. */
export function answerText({ state, answer }: Pick<NotifyMessage, 'state' | 'answer'>): string {
  return state === 'canceled' ? reasonText(answer) : answer;
}

function reasonText(answer: string): string {
  switch (answer) {
    case 'answered':
      return i18next.t('Event answered', { ns: 'NotifyConfig' });
    case 'by-hand':
      return i18next.t('Canceled by a member', { ns: 'NotifyConfig' });
    case 'event-gone':
      return i18next.t('Event no longer available', { ns: 'NotifyConfig' });
    default:
      return otherReasonText(answer);
  }
}

function otherReasonText(answer: string): string {
  const name = answererOf(answer);
  if (name !== undefined) return i18next.t('Event answered by {{name}}', { ns: 'NotifyConfig', name });
  const note = RECIPIENT_NOTES.find((each) => each === answer);
  return note === undefined ? answer : recipientNoteText(note);
}
