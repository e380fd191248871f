// The words of events in the user's language.
import i18next from 'i18next';
import { CATEGORY_NAMES, SEVERITY_NAMES, SOURCE_NAMES, STATUS_NAMES } from '../protocol/events/eventNames.ts';
import type { EventCategory, EventSource, EventStatus, Severity } from '../protocol/events/eventWords.ts';

export function severityText(severity: Severity): string {
  return wordText(SEVERITY_NAMES[severity]);
}

export function statusText(status: EventStatus): string {
  return wordText(STATUS_NAMES[status]);
}

export function categoryText(category: EventCategory): string {
  return wordText(CATEGORY_NAMES[category]);
}

export function sourceText(source: EventSource): string {
  return wordText(SOURCE_NAMES[source]);
}

function wordText(name: string): string {
  return i18next.t(name, { ns: 'EventWords' });
}
