import { describe, expect, it } from 'vitest';
import { eventsOfItems, flatItems, groupByDevice } from '../../../../pages/innerpage/todayevent/model/listItems.ts';
import { anchoredScroll, DEVICE_PIXELS, itemPixels } from '../../../../pages/innerpage/todayevent/model/listLayout.ts';
import { soundOfNew } from '../../../../pages/innerpage/todayevent/model/newSound.ts';
import {
  NOTHING_SELECTED,
  selectAll,
  selectRange,
  toggleSelected,
} from '../../../../pages/innerpage/todayevent/model/selection.ts';
import type { EventSound } from '../../../../shared/protocol/api/eventTypes.ts';
import { EVENTS_AT_ONCE } from '../../../../shared/protocol/events/eventWords.ts';
import { eventRow } from '../../../support/eventRow.ts';

const LISTED = [
  eventRow({ id: 9, deviceid: 'B' }),
  eventRow({ id: 8, severity: 'minor' }),
  eventRow({ id: 7, deviceid: 'B', severity: 'critical' }),
  eventRow({ id: 6, severity: 'info' }),
];

describe('events by device', () => {
  it('stand below their device, the one with the newest event first, with their number and the worst severity', () => {
    const items = groupByDevice(LISTED, new Set());
    expect(
      items.map((item) => (item.kind === 'device' ? [item.deviceid, item.count, item.severity] : item.event.id)),
    ).toEqual([['B', 2, 'critical'], 9, 7, ['BUS1', 2, 'minor'], 8, 6]);
  });

  it('are hidden while their device is collapsed, and keys pass over them', () => {
    const items = groupByDevice(LISTED, new Set(['B']));
    expect(items.map(({ kind }) => kind)).toEqual(['device', 'device', 'event', 'event']);
    expect(eventsOfItems(items).map(({ id }) => id)).toEqual([8, 6]);
  });
});

describe('the place in the list', () => {
  const events = (...ids: readonly number[]) => flatItems(ids.map((id) => eventRow({ id })));
  const pixels = itemPixels(events(1)[0] ?? expect.fail('no item'), false);

  it('moves with the events that come in above', () => {
    const scroll = { scrollTop: pixels + 10, isCompact: false };
    expect(anchoredScroll(events(3, 2, 1), events(5, 4, 3, 2, 1), scroll)).toBe(3 * pixels + 10);
  });

  it('stays at the top, where the newest are wanted, and where nothing came in above', () => {
    expect(anchoredScroll(events(2, 1), events(3, 2, 1), { scrollTop: 0, isCompact: false })).toBeUndefined();
    expect(anchoredScroll(events(2, 1), events(2, 1, 0), { scrollTop: 5, isCompact: false })).toBeUndefined();
  });

  it('is that of the next one when the event itself has gone', () => {
    const scroll = { scrollTop: pixels + 10, isCompact: false };
    expect(anchoredScroll(events(3, 2, 1), events(5, 4, 3, 1), scroll)).toBe(2 * pixels + 10);
    expect(anchoredScroll(events(3, 2), events(5), scroll)).toBeUndefined();
  });

  it('counts with the heights that rows have', () => {
    const [device] = groupByDevice(LISTED, new Set());
    expect(device && itemPixels(device, true)).toBe(DEVICE_PIXELS);
    expect(itemPixels(events(1)[0] ?? expect.fail('no item'), true)).toBeGreaterThan(pixels);
  });
});

describe('the selection', () => {
  const ids = [9, 8, 7, 6, 5];

  it('takes single events in and out', () => {
    const one = toggleSelected(NOTHING_SELECTED, 8);
    expect([...toggleSelected(one, 6).ids]).toEqual([8, 6]);
    expect([...toggleSelected(one, 8).ids]).toEqual([]);
  });

  it('takes all between the last one and another, in either direction', () => {
    const from = toggleSelected(NOTHING_SELECTED, 7);
    expect([...selectRange(from, ids, 5).ids]).toEqual([7, 6, 5]);
    expect([...selectRange(from, ids, 9).ids].sort()).toEqual([7, 8, 9]);
    expect([...selectRange(selectRange(from, ids, 9), ids, 6).ids].sort()).toEqual([6, 7, 8, 9]);
  });

  it('begins with the event itself where there is none to begin from', () => {
    expect(selectRange(NOTHING_SELECTED, ids, 7)).toEqual({ ids: new Set([7]), anchor: 7 });
    expect([...selectRange({ ids: new Set(), anchor: 4711 }, ids, 7).ids]).toEqual([7]);
  });

  it('is never of more events than one change takes', () => {
    const many = Array.from({ length: EVENTS_AT_ONCE + 20 }, (_, id) => id);
    const all = selectAll(many);
    expect(all.ids.size).toBe(EVENTS_AT_ONCE);
    expect(all.ids.has(0)).toBe(true);
    expect(toggleSelected(all, 9_999).ids.size).toBe(EVENTS_AT_ONCE);
    expect(selectRange({ ids: new Set(), anchor: 0 }, many, EVENTS_AT_ONCE + 19).ids.size).toBe(EVENTS_AT_ONCE);
  });
});

describe('the sound of new events', () => {
  const sounds: Readonly<Record<string, EventSound>> = { speeding: 'alert', emergency: 'siren', idling: 'none' };
  const soundOf = (type: string): EventSound => sounds[type] ?? 'none';
  const heard = (...events: Parameters<typeof eventRow>[0][]) => soundOfNew(events.map(eventRow), soundOf);

  it('is that of the most urgent', () => {
    expect(heard({ id: 1 }, { id: 2, type: 'emergency' }, { id: 3 })).toBe('siren');
    expect(heard({ id: 1, type: 'idling' })).toBe('none');
    expect(heard()).toBe('none');
  });

  it('is none for what was reported late, or is answered already', () => {
    expect(heard({ id: 1, late: true }, { id: 2, status: 'acknowledged' })).toBe('none');
  });
});
