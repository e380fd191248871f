// What events are called, and how they look and sound, in every page that shows some.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../api/client.ts';
import { loadEventWords } from '../../api/eventTypes.ts';
import { eventReasonText } from '../../i18n/eventReasonText.ts';
import { eventTypeText } from '../../i18n/eventTypeText.ts';
import type { Locale } from '../../i18n/languages.ts';
import { currentLocale } from '../../i18n/start.ts';
import type { EventReason, EventTypeName, EventWords } from '../../protocol/api/eventTypes.ts';
import { shownName } from '../../protocol/events/givenNames.ts';
import { useRecord } from '../records/useRecord.ts';

export interface EventNames {
  /** Disabled ones too: there may be events of them from before. Empty until they are loaded. */
  readonly types: readonly EventTypeName[];
  /** Disabled ones too: events may have been closed for them. Those that are `enabled` are offered. */
  readonly reasons: readonly EventReason[];
  /** Undefined until the types are loaded, and for a type that is not there. */
  readonly typeOf: (code: string) => EventTypeName | undefined;
  /** The name in the user's language; the code for a type that does not exist. */
  readonly nameOf: (code: string) => string;
  /** The name in the user's language; the code for a reason that does not exist, '' for none. */
  readonly reasonName: (code: string) => string;
}

export interface LoadedEventNames extends EventNames {
  /** Why they could not be loaded. Built-in types have their names all the same. */
  readonly failure: ApiFailure | undefined;
  readonly reload: () => void;
}

/** The same functions until a name or the language changes. The page loads EVENT_NAMESPACES. */
export function useEventNames(): LoadedEventNames {
  const { value, failure, reload } = useRecord({
    key: ['event-words'],
    load: loadEventWords,
    changedBy: ['eventtype'],
  });
  // A new function whenever the language changes or its texts have come.
  const { t } = useTranslation(['EventTypes', 'EventReasons']);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are translated anew when the texts are others
  const names = useMemo(() => eventNames(value ?? NO_WORDS, currentLocale()), [value, t]);
  return useMemo(() => ({ ...names, failure, reload }), [names, failure, reload]);
}

const NO_WORDS: EventWords = { types: [], reasons: [] };

function eventNames({ types, reasons }: EventWords, locale: Locale): EventNames {
  const typesByCode = new Map(types.map((type) => [type.code, type]));
  const reasonsByCode = new Map(reasons.map((reason) => [reason.code, reason]));
  return {
    types,
    reasons,
    typeOf: (code) => typesByCode.get(code),
    nameOf: (code) => {
      const type = typesByCode.get(code);
      const builtIn = eventTypeText(code);
      return type === undefined ? builtIn : shownName(type, locale, builtIn);
    },
    reasonName: (code) => {
      const reason = reasonsByCode.get(code);
      const builtIn = eventReasonText(code);
      return reason === undefined ? builtIn : shownName(reason, locale, builtIn);
    },
  };
}
