// Events on a map: those that would lie over one another become one mark. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { type Bounds, type Cluster, clusterPoints } from '../../../../shared/ui/map/clusters.ts';
import { toWorld, type WorldPoint } from '../../../../shared/ui/map/mercator.ts';

export interface PlacedEvent extends WorldPoint {
  readonly event: EventRow;
}

/** One event, or several. */
export interface EventMark extends Cluster<PlacedEvent> {
  /** The highest severity of its events. */
  readonly severity: Severity;
}

/** The events whose place is known. */
export function placeEvents(events: readonly EventRow[]): readonly PlacedEvent[] {
  return events.flatMap((event) => {
    const { lat, lng } = event;
    return lat === null || lng === null ? [] : [{ ...toWorld(lat, lng), event }];
  });
}

/** The marks at a whole zoom, the most severe last, which is drawn over the others. The selected event is never part of a cluster. */
export function eventMarks(
  events: readonly PlacedEvent[],
  zoom: number,
  selectedId: number | undefined,
): readonly EventMark[] {
  const others = events.filter(({ event }) => event.id !== selectedId);
  const selected = events.filter(({ event }) => event.id === selectedId);
  const marks = clusterPoints(others, zoom).map(toMark);
  const sorted = marks.sort((left, right) => rankOf(right) - rankOf(left));
  return [...sorted, ...selected.map((each) => toMark({ x: each.x, y: each.y, points: [each] }))];
}

function toMark(cluster: Cluster<PlacedEvent>): EventMark {
  const severity = SEVERITIES.find((each) => cluster.points.some(({ event }) => event.severity === each));
  return { ...cluster, severity: severity ?? 'info' };
}

function rankOf({ severity }: EventMark): number {
  return SEVERITIES.indexOf(severity);
}

/** Degrees; undefined without an event that has a place. */
export function boundsOfEvents(events: readonly EventRow[]): Bounds | undefined {
  const lats = events.flatMap(({ lat }) => lat ?? []);
  const lngs = events.flatMap(({ lng }) => lng ?? []);
  if (lats.length === 0) return undefined;
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}
