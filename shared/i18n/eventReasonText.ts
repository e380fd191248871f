import i18next from 'i18next';
import { builtInReason } from '../protocol/events/builtInReasons.ts';

/** What a built-in reason for closing is called in the user's language; the code as it is for any other reason. */
export function eventReasonText(code: string): string {
  const reason = builtInReason(code);
  return reason === undefined ? code : i18next.t(reason.name, { ns: 'EventReasons' });
}
