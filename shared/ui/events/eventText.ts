// How the facts of an event are written, in the user's language. Texts of the page's namespaces have to be there: EVENT_PAGE_NAMESPACES.
import i18next from 'i18next';
import { sourceText, statusText } from '../../i18n/eventWordText.ts';
import type { EventRow } from '../../protocol/api/events.ts';
import type { EventUnit } from '../../protocol/events/eventWords.ts';
import { type ValueKind, type ValueUnit, valueKind } from '../../protocol/events/valueUnits.ts';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** The two largest units: `45 s`, `5 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(durationMs: number): string {
  const all = Math.max(0, Math.floor(durationMs / SECOND_MS));
  const seconds = all % MINUTE_S;
  const minutes = Math.floor(all / MINUTE_S) % MINUTE_S;
  const hours = Math.floor(all / HOUR_S) % 24;
  const days = Math.floor(all / DAY_S);
  if (days > 0) return i18next.t('{{days}} d {{hours}} h', { ns: 'Events', days, hours });
  if (hours > 0) return i18next.t('{{hours}} h {{minutes}} min', { ns: 'Events', hours, minutes });
  if (minutes > 0) return i18next.t('{{minutes}} min {{seconds}} s', { ns: 'Events', minutes, seconds });
  return i18next.t('{{seconds}} s', { ns: 'Events', seconds });
}

/** How long it was, or that it lasts. '' for what was over as soon as it was reported. */
export function lengthText({ beginAtMs, endAtMs }: Pick<EventRow, 'beginAtMs' | 'endAtMs'>): string {
  if (endAtMs === 0) return i18next.t('Lasting', { ns: 'Events' });
  return endAtMs - beginAtMs < SECOND_MS ? '' : durationText(endAtMs - beginAtMs);
}

/** The channel, storage or tire; '' for the device as a whole. */
export function unitText(unit: number, kind: EventUnit | undefined): string {
  if (unit === 0) return '';
  switch (kind) {
    case 'storage':
      return i18next.t('Storage {{unit}}', { ns: 'Events', unit });
    case 'tire':
      return i18next.t('Tire {{unit}}', { ns: 'Events', unit });
    default:
      return `ch ${unit}`;
  }
}

/** What was measured, with its unit; '' where nothing was. */
export function valueText({ type, value }: Pick<EventRow, 'type' | 'value'>): string {
  return value === null ? '' : numberText(value, valueKind(type));
}

/** What was allowed, with its unit; '' where there is no limit. */
export function limitText({ type, limit }: Pick<EventRow, 'type' | 'limit'>): string {
  return limit === null ? '' : numberText(limit, valueKind(type));
}

function numberText(value: number, kind: ValueKind): string {
  if (kind === 'direction') return i18next.t(value === 1 ? 'Exited' : 'Entered', { ns: 'Events' });
  const number = Math.round(value * 100) / 100;
  return kind === undefined ? String(number) : withUnit(number, kind);
}

function withUnit(number: number, unit: ValueUnit): string {
  switch (unit) {
    case 's':
      return i18next.t('{{seconds}} s', { ns: 'Events', seconds: number });
    case 'min':
      return i18next.t('{{minutes}} min', { ns: 'Events', minutes: number });
    case 'persons':
      return i18next.t('Passengers: {{count}}', { ns: 'Events', count: number });
    case '%':
      return `${number}%`;
    default:
      return `${number} ${unit}`;
  }
}

/** Degrees; '' where the place is not known. */
export function placeText({ lat, lng }: Pick<EventRow, 'lat' | 'lng'>): string {
  return lat === null || lng === null ? '' : `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}

/** An event of the gateway itself has no device. */
export function deviceText({ deviceid, deviceName }: Pick<EventRow, 'deviceid' | 'deviceName'>): string {
  return deviceName || deviceid || sourceText('system');
}

/** Its status, and who has it or what it was closed for. */
export function stateText({ status, assignee, reason }: EventRow, reasonName: (code: string) => string): string {
  const more = reason === '' ? assignee : reasonName(reason);
  return more === '' ? statusText(status) : `${statusText(status)} (${more})`;
}
