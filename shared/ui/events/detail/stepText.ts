// The steps of an event in the user's language.
import i18next from 'i18next';
import { sourceText, statusText } from '../../../i18n/eventWordText.ts';
import type { EventStep } from '../../../protocol/api/events.ts';

/** What was done; the note stands beside it. */
export function stepText({ act, to, assignee, reason }: EventStep, reasonName: (code: string) => string): string {
  switch (act) {
    case 'acknowledge':
      return statusText('acknowledged');
    case 'assign':
      return assignee === ''
        ? i18next.t('Assignee removed', { ns: 'Events' })
        : i18next.t('Assigned to {{user}}', { ns: 'Events', user: assignee });
    case 'note':
      return i18next.t('Note', { ns: 'Events' });
    case 'close':
      return reason === '' ? statusText(to) : `${statusText(to)} · ${reasonName(reason)}`;
    case 'reopen':
      return i18next.t('Reopened', { ns: 'Events' });
  }
}

/** Who did it. */
export function stepUser({ user }: Pick<EventStep, 'user'>): string {
  return user || sourceText('system');
}
