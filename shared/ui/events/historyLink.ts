import { type InnerPageLink, innerPageLink } from '../frame/innerPageLink.ts';
import { queryText } from '../frame/pageQuery.ts';

export interface HistoryLinkFilter {
  /** The last 24 hours. */
  readonly period: '24h';
  /** Codes of event types. */
  readonly types: readonly string[];
}

/** To History Event, with these filters. For users with permission `event`. */
export function linkToHistory({ period, types }: HistoryLinkFilter): InnerPageLink {
  const query = new URLSearchParams({ period, types: types.join(',') });
  return innerPageLink({ src: '/innerpage/historyevent.html' }, queryText(query));
}

export interface DeviceEvents {
  readonly deviceId: string;
  readonly statuses: readonly string[];
  readonly severities: readonly string[];
}

/** To the device's events of the last 30 days. For users with permission `event`. */
export function linkToEventsOf({ deviceId, statuses, severities }: DeviceEvents): InnerPageLink {
  const query = new URLSearchParams({
    period: '30d',
    // The page takes a list apart before it decodes the ids.
    devices: encodeURIComponent(deviceId),
    statuses: statuses.join(','),
    severities: severities.join(','),
  });
  return innerPageLink({ src: '/innerpage/historyevent.html' }, queryText(query));
}

/** To one event in History Event. For users with permission `event`. */
export function linkToEvent(event: number): InnerPageLink {
  return innerPageLink(
    { src: '/innerpage/historyevent.html' },
    queryText(new URLSearchParams({ event: String(event) })),
  );
}
