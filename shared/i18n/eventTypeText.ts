import i18next from 'i18next';
import { builtInType } from '../protocol/events/builtInTypes.ts';

/** What a built-in event type is called in the user's language; the code as it is for any other type. */
export function eventTypeText(code: string): string {
  const type = builtInType(code);
  return type === undefined ? code : i18next.t(type.name, { ns: 'EventTypes' });
}
