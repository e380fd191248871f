// The facts of an event, each with its name, as the detail panel lists them. What is not known is left out.
import i18next from 'i18next';
import { sourceText } from '../../../i18n/eventWordText.ts';
import type { EventDetail, EventRow } from '../../../protocol/api/events.ts';
import type { EventTypeName } from '../../../protocol/api/eventTypes.ts';
import { formatTimestamp } from '../../../time/format.ts';
import { durationText, limitText, placeText, unitText, valueText } from '../eventText.ts';

export interface EventFact {
  readonly name: string;
  readonly value: string;
}

export interface FactsOptions {
  readonly event: EventRow;
  /** Undefined until it is loaded. */
  readonly detail: EventDetail | undefined;
  readonly type: EventTypeName | undefined;
  readonly zone: string;
  readonly nowMs: number;
}

/** A difference of clocks below this is the network's. */
const CLOCK_DIFFERENCE_MS = 2_000;

export function eventFacts(options: FactsOptions): readonly EventFact[] {
  const facts = [...timeFacts(options), ...measureFacts(options), ...placeFacts(options), ...deviceFacts(options)];
  return facts.filter(({ value }) => value !== '');
}

function timeFacts({ event, zone, nowMs }: FactsOptions): readonly EventFact[] {
  const { beginAtMs, endAtMs, lastSeenAtMs, count } = event;
  const isLasting = endAtMs === 0;
  return [
    { name: i18next.t('Start', { ns: 'Events' }), value: formatTimestamp(beginAtMs, zone) },
    { name: i18next.t('Device time', { ns: 'Events' }), value: deviceTime(event, zone) },
    { name: i18next.t('End', { ns: 'Events' }), value: isLasting ? '' : formatTimestamp(endAtMs, zone) },
    {
      name: isLasting ? i18next.t('Lasting for', { ns: 'Events' }) : i18next.t('Duration', { ns: 'Events' }),
      value: durationText((isLasting ? nowMs : endAtMs) - beginAtMs),
    },
    { name: i18next.t('Occurrences', { ns: 'Events' }), value: count > 1 ? String(count) : '' },
    {
      name: i18next.t('Last reported', { ns: 'Events' }),
      value: count > 1 || isLasting ? formatTimestamp(lastSeenAtMs, zone) : '',
    },
  ];
}

function deviceTime({ deviceTimeMs, beginAtMs }: EventRow, zone: string): string {
  const isOther = deviceTimeMs !== 0 && Math.abs(deviceTimeMs - beginAtMs) > CLOCK_DIFFERENCE_MS;
  return isOther ? formatTimestamp(deviceTimeMs, zone) : '';
}

function measureFacts({ event }: FactsOptions): readonly EventFact[] {
  return [
    { name: i18next.t('Value', { ns: 'Events' }), value: valueText(event) },
    { name: i18next.t('Limit', { ns: 'Events' }), value: limitText(event) },
  ];
}

function placeFacts({ event, detail }: FactsOptions): readonly EventFact[] {
  const hasPlace = event.lat !== null;
  // What lasts has no end yet, whatever was reported last.
  const hasEnded = detail !== undefined && event.endAtMs !== 0;
  const end = hasEnded ? placeText({ lat: detail.endLat, lng: detail.endLng }) : '';
  const start = placeText(event);
  return [
    { name: i18next.t('Position', { ns: 'Events' }), value: start },
    { name: i18next.t('Speed', { ns: 'Events' }), value: hasPlace ? motionText(event.speedKmh, event.heading) : '' },
    { name: i18next.t('Position at the end', { ns: 'Events' }), value: end === start ? '' : end },
    {
      name: i18next.t('Speed at the end', { ns: 'Events' }),
      value: !hasEnded || end === '' ? '' : motionText(detail.endSpeedKmh, detail.endHeading),
    },
  ];
}

function motionText(speedKmh: number | null, heading: number | null): string {
  const speed = speedKmh === null ? [] : [`${Math.round(speedKmh)} km/h`];
  const direction = heading === null ? [] : [`${Math.round(heading)}°`];
  return [...speed, ...direction].join(' · ');
}

function deviceFacts({ event, type }: FactsOptions): readonly EventFact[] {
  const { area, areaName, driver, plate, groupName, deviceid, source, id } = event;
  return [
    { name: unitName(type), value: unitText(event.unit, type?.unit) },
    { name: i18next.t('Geofence', { ns: 'Events' }), value: areaName },
    // What terminals call their own areas, and geofences of others.
    { name: i18next.t('Geofence number', { ns: 'Events' }), value: area === 0 || areaName !== '' ? '' : String(area) },
    { name: i18next.t('Driver', { ns: 'Events' }), value: driver },
    { name: i18next.t('Plate number', { ns: 'Events' }), value: plate },
    { name: i18next.t('Group', { ns: 'Events' }), value: groupName },
    { name: i18next.t('Device ID', { ns: 'Events' }), value: deviceid },
    { name: i18next.t('Reported by', { ns: 'Events' }), value: sourceText(source) },
    { name: i18next.t('Event ID', { ns: 'Events' }), value: String(id) },
  ];
}

function unitName(type: EventTypeName | undefined): string {
  switch (type?.unit) {
    case 'storage':
      return i18next.t('Storage', { ns: 'Events' });
    case 'tire':
      return i18next.t('Tire', { ns: 'Events' });
    default:
      return i18next.t('Channel', { ns: 'Events' });
  }
}
