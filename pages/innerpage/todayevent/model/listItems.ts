// What stands in the list, from top to bottom: events, or devices with their events. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';

export type ListItem =
  | { readonly kind: 'event'; readonly event: EventRow }
  | {
      readonly kind: 'device';
      /** '' for events of the gateway itself. */
      readonly deviceid: string;
      /** The device's newest. */
      readonly event: EventRow;
      readonly count: number;
      readonly severity: Severity;
      readonly isCollapsed: boolean;
    };

/** The device with the newest event first; its events follow it unless they are collapsed. */
export function groupByDevice(events: readonly EventRow[], collapsed: ReadonlySet<string>): readonly ListItem[] {
  const byDevice = new Map<string, EventRow[]>();
  for (const event of events) {
    const known = byDevice.get(event.deviceid);
    if (known === undefined) byDevice.set(event.deviceid, [event]);
    else known.push(event);
  }
  return [...byDevice].flatMap(([deviceid, own]) => deviceItems(deviceid, own, collapsed.has(deviceid)));
}

export function flatItems(events: readonly EventRow[]): readonly ListItem[] {
  return events.map((event) => ({ kind: 'event', event }));
}

function deviceItems(deviceid: string, events: readonly EventRow[], isCollapsed: boolean): readonly ListItem[] {
  const [newest] = events;
  if (newest === undefined) return [];
  const severity = mostSevere(events);
  const head = { kind: 'device', deviceid, event: newest, count: events.length, severity, isCollapsed } as const;
  return isCollapsed ? [head] : [head, ...flatItems(events)];
}

function mostSevere(events: readonly EventRow[]): Severity {
  return SEVERITIES.find((severity) => events.some((event) => event.severity === severity)) ?? 'info';
}

/** The events that can be seen, in the order of the list: what keys move through. */
export function eventsOfItems(items: readonly ListItem[]): readonly EventRow[] {
  return items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
}
