// The values that are filled into templates: an event's facts in readable form, in one language and one time zone.
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { SEVERITY_NAMES, SOURCE_NAMES, STATUS_NAMES } from '../../../shared/protocol/events/eventNames.ts';
import { type ValueKind, type ValueUnit, valueKind } from '../../../shared/protocol/events/valueUnits.ts';
import type { VariableValues } from '../../../shared/protocol/notify/templateVariables.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';
import { type Texts, textOf } from '../../localeTexts.ts';
import { digestLines } from './digestLines.ts';
import type { MessageWords } from './presets/messageWords.ts';

/** The terms of a language. */
export interface Wording {
  readonly typeName: (code: string) => string;
  /** EventWords and Events of the language. */
  readonly eventWords: Texts;
  readonly events: Texts;
  readonly words: MessageWords;
}

/** Facts beside the event. */
export interface MessageFacts {
  readonly ruleName: string;
  readonly step: number;
  readonly recipientName: string;
  readonly key: string;
  readonly sentAtMs: number;
  readonly siteTitle: string;
  /** Link to the event; '' without PUBLIC_URL. */
  readonly link: string;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
}

/** `rows`: the events of a digest, the first of which is described; just one for a message about one event. */
export function valuesOf(
  event: EventRow,
  rows: readonly EventRow[],
  facts: MessageFacts,
  wording: Wording,
): VariableValues {
  const device = deviceName(event, wording);
  return {
    ...eventValues(event, facts, wording),
    'device.id': event.deviceid,
    'device.name': device,
    'device.plate': event.plate,
    'device.group': event.groupName,
    'rule.name': facts.ruleName,
    'step.number': String(facts.step),
    'recipient.name': facts.recipientName,
    'message.key': facts.key,
    'message.sentIso': new Date(facts.sentAtMs).toISOString(),
    'site.title': facts.siteTitle,
    'digest.count': String(rows.length),
    'digest.lines': digestLines(
      rows.map((row) => ({
        time: timeText(row.beginAtMs, facts.timeZone),
        type: wording.typeName(row.type),
        device: deviceName(row, wording),
      })),
      wording.words.andMore,
    ),
  };
}

type EventValues = Pick<VariableValues, Extract<keyof VariableValues, `event.${string}`>>;

function eventValues(event: EventRow, { timeZone, link }: MessageFacts, wording: Wording): EventValues {
  const { type, severity, status } = event;
  const numbered = (value: number | null) => (value === null ? '' : numberText(value, valueKind(type), wording));
  const word = (text: string) => textOf(wording.eventWords, text, text);
  return {
    'event.id': String(event.id),
    'event.type': wording.typeName(type),
    'event.typeCode': type,
    'event.severity': word(SEVERITY_NAMES[severity]),
    'event.severityCode': severity,
    'event.begin': timeText(event.beginAtMs, timeZone),
    'event.beginIso': new Date(event.beginAtMs).toISOString(),
    'event.end': event.endAtMs === 0 ? '' : timeText(event.endAtMs, timeZone),
    'event.status': word(STATUS_NAMES[status]),
    'event.value': numbered(event.value),
    'event.limit': numbered(event.limit),
    'event.count': String(event.count),
    'event.unit': unitText(event, wording),
    'event.area': event.areaName,
    'event.driver': event.driver,
    'event.speed': event.speedKmh === null ? '' : `${Math.round(event.speedKmh)} km/h`,
    'event.place': event.lat === null || event.lng === null ? '' : `${event.lat.toFixed(6)}, ${event.lng.toFixed(6)}`,
    'event.link': link,
  };
}

/** yyyy-MM-dd HH:mm:ss in the zone. */
function timeText(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 19).replace('T', ' ');
}

/** An event of the gateway itself has no device. */
function deviceName({ deviceid, deviceName: name }: EventRow, { eventWords }: Wording): string {
  return name || deviceid || textOf(eventWords, SOURCE_NAMES.system, '');
}

function unitText({ unit, type }: EventRow, { events }: Wording): string {
  if (unit === 0) return '';
  switch (builtInType(type)?.unit) {
    case 'storage':
      return filled(events, 'Storage {{unit}}', unit);
    case 'tire':
      return filled(events, 'Tire {{unit}}', unit);
    default:
      return `ch ${unit}`;
  }
}

function numberText(value: number, kind: ValueKind, { events }: Wording): string {
  if (kind === 'direction') return textOf(events, value === 1 ? 'Exited' : 'Entered', '');
  const number = Math.round(value * 100) / 100;
  return kind === undefined ? String(number) : withUnit(number, kind, events);
}

function withUnit(number: number, unit: ValueUnit, events: Texts): string {
  switch (unit) {
    case 's':
      return filled(events, '{{seconds}} s', number);
    case 'min':
      return filled(events, '{{minutes}} min', number);
    case 'persons':
      return filled(events, 'Passengers: {{count}}', number);
    case '%':
      return `${number}%`;
    default:
      return `${number} ${unit}`;
  }
}

/** A text with one number in it. */
function filled(texts: Texts, key: string, number: number): string {
  return textOf(texts, key, key).replace(/\{\{\w+\}\}/, () => String(number));
}
