// What is said of acts on events, in the user's language.
import i18next from 'i18next';
import type { EventAct } from '../../../protocol/events/eventWords.ts';
import { stateText } from '../eventText.ts';
import type { RefusedEvent } from './actRequest.ts';

export function doneText(act: EventAct, count: number): string {
  if (count === 1) return doneToOne(act);
  switch (act) {
    case 'acknowledge':
      return i18next.t('Events acknowledged: {{count}}', { ns: 'Events', count });
    case 'assign':
      return i18next.t('Events assigned: {{count}}', { ns: 'Events', count });
    case 'note':
      return i18next.t('Notes added: {{count}}', { ns: 'Events', count });
    case 'close':
      return i18next.t('Events closed: {{count}}', { ns: 'Events', count });
    case 'reopen':
      return i18next.t('Events reopened: {{count}}', { ns: 'Events', count });
  }
}

function doneToOne(act: EventAct): string {
  switch (act) {
    case 'acknowledge':
      return i18next.t('Event acknowledged.', { ns: 'Events' });
    case 'assign':
      return i18next.t('Event assigned.', { ns: 'Events' });
    case 'note':
      return i18next.t('Note added.', { ns: 'Events' });
    case 'close':
      return i18next.t('Event closed.', { ns: 'Events' });
    case 'reopen':
      return i18next.t('Event reopened.', { ns: 'Events' });
  }
}

/** Why it was not done to an event: who was first, and what the event is now. */
export function refusalText({ failure, by, event }: RefusedEvent, reasonName: (code: string) => string): string {
  if (failure === 'gone' || event === null)
    return i18next.t("Event not found, or you don't have access to it.", { ns: 'Events' });
  const state = stateText(event, reasonName);
  if (failure === 'conflict' && by !== '')
    return i18next.t('{{user}} was first. The event is now: {{state}}.', { ns: 'Events', user: by, state });
  return i18next.t('The event has changed. It is now: {{state}}.', { ns: 'Events', state });
}
