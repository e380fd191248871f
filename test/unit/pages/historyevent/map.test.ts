import { describe, expect, it } from 'vitest';
import { boundsOfEvents, eventMarks, placeEvents } from '../../../../pages/innerpage/historyevent/map/eventMarks.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { eventRow } from '../../../support/eventRow.ts';

const at = (id: number, severity: Severity, lat: number | null, lng: number | null) =>
  eventRow({ id, severity, lat, lng });
const idsOf = (marks: ReturnType<typeof eventMarks>) =>
  marks.map(({ points }) => points.map(({ event }) => event.id).sort());

describe('events on a map', () => {
  const events = [
    at(1, 'info', 25, 121),
    at(2, 'critical', 25.000_1, 121),
    at(3, 'minor', 25, 121.000_1),
    at(4, 'major', 22, 120),
    at(5, 'critical', null, null),
  ];

  it('are those whose place is known', () => {
    expect(placeEvents(events).map(({ event }) => event.id)).toEqual([1, 2, 3, 4]);
    expect(boundsOfEvents(events)).toEqual({ west: 120, east: 121.000_1, south: 22, north: 25.000_1 });
    expect(boundsOfEvents([at(5, 'info', null, null)])).toBeUndefined();
  });

  it('are one mark where they would lie over one another, as severe as the worst of them, which is drawn last', () => {
    const marks = eventMarks(placeEvents(events), 8, undefined);
    expect(idsOf(marks)).toEqual([[4], [1, 2, 3]]);
    expect(marks.map(({ severity }) => severity)).toEqual(['major', 'critical']);
    expect(idsOf(eventMarks(placeEvents(events), 22, undefined))).toHaveLength(4);
  });

  it('leave the selected one by itself, over all others', () => {
    expect(idsOf(eventMarks(placeEvents(events), 8, 1))).toEqual([[4], [2, 3], [1]]);
  });
});
