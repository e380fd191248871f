// The acts that a member can do to an event, by its status. Pages use them to show what can be done, the gateway to decide.
import { type EventAct, type EventStatus, isAnswered } from './eventWords.ts';

/** Whether the status allows the act. A note can be added at any time. */
export function allowsAct(status: EventStatus, act: EventAct): boolean {
  switch (act) {
    case 'acknowledge':
      return status === 'new';
    case 'assign':
    case 'close':
      return !isAnswered(status);
    case 'reopen':
      return isAnswered(status);
    case 'note':
      return true;
  }
}

export interface ActOnEvent {
  readonly act: EventAct;
  /** For an assignment; '' removes the assignee, which changes no status. */
  readonly assignee?: string | undefined;
  /** Whether the reason for closing stands for a false alarm. */
  readonly isFalseAlarm?: boolean | undefined;
}

/** Undefined where the status does not allow the act. */
export function statusAfter(
  status: EventStatus,
  { act, assignee = '', isFalseAlarm = false }: ActOnEvent,
): EventStatus | undefined {
  if (!allowsAct(status, act)) return undefined;
  switch (act) {
    case 'acknowledge':
      return 'acknowledged';
    case 'assign':
      return assignee === '' ? status : 'in-progress';
    case 'close':
      return isFalseAlarm ? 'false-alarm' : 'closed';
    case 'reopen':
      return 'in-progress';
    case 'note':
      return status;
  }
}
