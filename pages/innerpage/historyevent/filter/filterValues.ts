// Values of filters as text, from an address or a saved filter, which anybody can have written: what is no value of a filter is
// left out. Pure.

import { MAX_SEARCH_LENGTH } from '../../../../shared/protocol/api/lists.ts';
import { isDeviceId } from '../../../../shared/protocol/deviceId.ts';
import { EVENT_STATUSES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { type Either, FIRST_FILTER, type HistoryFilter, inOrderOf } from './historyFilter.ts';

export type FilterTexts = Readonly<Partial<Record<keyof HistoryFilter, string>>>;

/** The calls take lists of 4,000 characters. */
const MAX_LIST_LENGTH = 4_000;
const MAX_NAME_LENGTH = 256;

export function filterOf(texts: FilterTexts): HistoryFilter {
  return {
    ...FIRST_FILTER,
    search: (texts.search ?? '').slice(0, MAX_SEARCH_LENGTH),
    devices: valuesOf(texts.devices).map(decoded).filter(isDeviceId),
    groups: valuesOf(texts.groups).filter(isNumber).map(Number),
    types: valuesOf(texts.types).filter(isCode),
    severities: inOrderOf(SEVERITIES, valuesOf(texts.severities)),
    statuses: inOrderOf(EVENT_STATUSES, valuesOf(texts.statuses)),
    assignee: (texts.assignee ?? '').slice(0, MAX_NAME_LENGTH),
    late: eitherOf(texts.late),
    media: texts.media === 'video' ? 'video' : eitherOf(texts.media),
    lasting: eitherOf(texts.lasting),
  };
}

/** Each once; what does not fit into a call is left out. */
function valuesOf(text = ''): readonly string[] {
  const whole = text.length <= MAX_LIST_LENGTH ? text : text.slice(0, text.lastIndexOf(',', MAX_LIST_LENGTH));
  return [...new Set(whole.split(',').filter((value) => value !== ''))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // no text in any encoding
  }
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

function isCode(text: string): boolean {
  return /^[a-z0-9-]{1,60}$/.test(text);
}

function eitherOf(text: string | undefined): Either {
  return text === '0' || text === '1' ? text : '';
}
