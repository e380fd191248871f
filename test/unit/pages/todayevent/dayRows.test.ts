import { describe, expect, it } from 'vitest';
import {
  type DayRows,
  dayWindow,
  newEvents,
  noRows,
  paused,
  resumed,
  withAll,
  withEvents,
} from '../../../../pages/innerpage/todayevent/model/dayRows.ts';
import { type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { EVENT_BEGIN_MS, eventRow } from '../../../support/eventRow.ts';

const ZONE = 'Asia/Taipei';
const DAY = dayWindow(EVENT_BEGIN_MS, ZONE);
const EMPTY = noRows(DAY);
/** An event this many minutes after EVENT_BEGIN_MS. */
const at = (id: number, minutes: number, fields: Partial<EventRow> = {}): EventRow =>
  eventRow({ id, beginAtMs: wallMs(EVENT_BEGIN_MS + minutes * 60_000), ...fields });
const idsOf = (events: readonly EventRow[]): number[] => events.map(({ id }) => id);

describe("the user's day", () => {
  it('begins and ends at midnight where the user is', () => {
    expect(DAY).toEqual({ fromMs: Date.UTC(2026, 10, 22, 16), toMs: Date.UTC(2026, 10, 23, 16) });
    expect(dayWindow(DAY.toMs - 1, ZONE)).toEqual(DAY);
    expect(dayWindow(DAY.toMs, ZONE).fromMs).toBe(DAY.toMs);
  });

  it('has 23 or 25 hours where the clocks are changed', () => {
    const hoursOf = (nowMs: number) => {
      const { fromMs, toMs } = dayWindow(nowMs, 'Europe/Berlin');
      return (toMs - fromMs) / 3_600_000;
    };
    expect([Date.UTC(2026, 2, 29, 12), Date.UTC(2026, 9, 25, 12)].map(hoursOf)).toEqual([23, 25]);
  });
});

describe('events of the live line', () => {
  it('stand newest first, whatever the order they come in', () => {
    const list = withEvents(withEvents(EMPTY, [at(1, 5), at(2, 20)]), [at(4, 10), at(3, 20)]);
    expect(idsOf(list.rows)).toEqual([3, 2, 4, 1]);
  });

  it('change what is shown, unless they are older than that', () => {
    const list = withEvents(EMPTY, [at(1, 0, { version: 4, count: 4 })]);
    expect(withEvents(list, [at(1, 0, { version: 3, count: 3 })]).rows[0]?.count).toBe(4);
    expect(withEvents(list, [at(1, 0, { version: 5, count: 5 })]).rows[0]?.count).toBe(5);
  });

  it('with equal versions change what is shown only if they are not older', () => {
    const report = (count: number, seenMinute: number, endMinute = 0) =>
      at(1, 0, {
        count,
        lastSeenAtMs: wallMs(EVENT_BEGIN_MS + seenMinute * 60_000),
        endAtMs: wallMs(endMinute === 0 ? 0 : EVENT_BEGIN_MS + endMinute * 60_000),
      });
    const shownAfter = (first: EventRow, second: EventRow) => withEvents(withEvents(EMPTY, [first]), [second]).rows[0];
    const [lasting, seen, ended, repeated] = [report(1, 1), report(1, 2), report(1, 2, 3), report(2, 5)];
    for (const [earlier, later] of [
      [lasting, seen],
      [seen, ended],
      [lasting, ended],
      [ended, repeated],
    ] as const) {
      expect(shownAfter(earlier, later)).toBe(later);
      expect(shownAfter(later, earlier)).toBe(later);
    }
    expect(shownAfter(seen, { ...seen, media: 2 })?.media).toBe(2);
  });

  it('of another day are left out', () => {
    const other = [wallMs(DAY.fromMs - 1), wallMs(DAY.toMs)].map((beginAtMs, id) => eventRow({ id, beginAtMs }));
    expect(withEvents(EMPTY, other)).toBe(EMPTY);
    expect(newEvents(withAll(EMPTY, [], false), other)).toEqual([]);
  });

  it('push the oldest out above the bound, and that is said', () => {
    const many = Array.from({ length: TODAY_EVENTS_MAX }, (_, id) => at(id + 1, id / 100));
    const full = withEvents(EMPTY, many);
    expect([full.rows.length, full.isCut]).toEqual([TODAY_EVENTS_MAX, false]);
    const more = withEvents(full, [at(9_999, 60)]);
    expect([more.rows.length, more.isCut]).toEqual([TODAY_EVENTS_MAX, true]);
    expect(idsOf(more.rows).slice(0, 1)).toEqual([9_999]);
    expect(idsOf(more.rows)).not.toContain(1);
  });
});

describe('new events', () => {
  const NONE_YET = withAll(EMPTY, [], false);

  it('are none before the first list, and then those that nobody has been told of', () => {
    expect(newEvents(EMPTY, [at(1, 0)])).toEqual([]);
    const list = withEvents(NONE_YET, [at(1, 0)]);
    expect(idsOf(newEvents(list, [at(1, 0, { version: 2 }), at(2, 1)]))).toEqual([2]);
    expect(idsOf(newEvents(withEvents(paused(list), [at(2, 1)]), [at(2, 1), at(3, 2)]))).toEqual([3]);
  });

  it('are not those of before that come into view with their device', () => {
    const list = withAll(EMPTY, [at(8, 8)], false);
    expect(newEvents(list, [at(3, 3)])).toEqual([]);
    expect(idsOf(withEvents(list, [at(3, 3)]).rows)).toEqual([8, 3]);
  });

  it('are not those that the list had no room for', () => {
    const many = Array.from({ length: TODAY_EVENTS_MAX + 1 }, (_, id) => at(id + 1, id / 100));
    const full = withEvents(NONE_YET, many);
    expect(full.isCut).toBe(true);
    const ended = at(1, 0, { endAtMs: wallMs(EVENT_BEGIN_MS + 1_000) });
    const begunBefore = at(9_998, -1);
    expect(newEvents(full, [ended, begunBefore])).toEqual([]);
    expect(withEvents(paused(full), [ended, begunBefore]).held).toEqual([]);
    expect(idsOf(newEvents(full, [at(9_999, 60)]))).toEqual([9_999]);
  });

  it('push out nothing of a paused list but count no more than it will show', () => {
    const many = Array.from({ length: TODAY_EVENTS_MAX }, (_, id) => at(id + 1, id / 100));
    const list = withEvents(paused(withEvents(NONE_YET, many)), [at(9_998, 60), at(9_999, 61)]);
    expect([list.rows.length, idsOf(list.held)]).toEqual([TODAY_EVENTS_MAX, [9_999, 9_998]]);
    // Between what will be the oldest two once the list goes on.
    expect(withEvents(list, [at(5_000, 0.015)]).held).toEqual(list.held);
  });
});

describe('a paused list', () => {
  const shown = withEvents(EMPTY, [at(1, 0)]);

  it('holds new events back, and shows what becomes of those that are there', () => {
    const list = withEvents(paused(shown), [at(2, 1), at(1, 0, { version: 2, status: 'closed' })]);
    expect(list.rows.map(({ id, status }) => [id, status])).toEqual([[1, 'closed']]);
    expect(idsOf(list.held)).toEqual([2]);
  });

  it('counts an event once that changes while it is held back', () => {
    const twice = withEvents(withEvents(paused(shown), [at(2, 1)]), [at(2, 1, { version: 2, count: 2 })]);
    expect(twice.held.map(({ id, count }) => [id, count])).toEqual([[2, 2]]);
  });

  it('shows all of them once it goes on', () => {
    const list = resumed(withEvents(paused(shown), [at(2, 1), at(3, 2)]));
    expect([idsOf(list.rows), list.held, list.isPaused]).toEqual([[3, 2, 1], [], false]);
  });

  it('holds back so many at most, the newest of them', () => {
    const many = Array.from({ length: TODAY_EVENTS_MAX + 5 }, (_, id) => at(id + 10, 1 + id / 100));
    const list = withEvents(paused(shown), many);
    expect(list.held.length).toBe(TODAY_EVENTS_MAX);
    expect(idsOf(list.rows)).toEqual([1]);
    expect(resumed(list)).toMatchObject({ isCut: true });
    expect(idsOf(resumed(list).rows)).toEqual(idsOf(list.held));
  });

  it('is the same object when nothing changes', () => {
    expect(paused(paused(shown)).isPaused).toBe(true);
    expect(resumed(shown)).toBe(shown);
    expect(withEvents(shown, [])).toBe(shown);
  });
});

describe('the whole list', () => {
  const known: DayRows = withEvents(EMPTY, [at(1, 0, { version: 3, status: 'closed' }), at(2, 1)]);

  it('replaces what is shown: what is not in it is gone, what is older in it is not', () => {
    const list = withAll(known, [at(1, 0, { version: 2 }), at(3, 2)], false);
    expect(list.rows.map(({ id, status }) => [id, status])).toEqual([
      [3, 'new'],
      [1, 'closed'],
    ]);
  });

  it('may name an event twice, when it came by the live line meanwhile', () => {
    const list = withAll(EMPTY, [at(1, 0), at(1, 0, { version: 2, count: 2 })], true);
    expect(list.rows.map(({ id, count }) => [id, count])).toEqual([[1, 2]]);
    expect(list.isCut).toBe(true);
  });

  it('that is cut leaves a paused list what is older than all of it', () => {
    const list = paused(withEvents(EMPTY, [at(1, 1), at(2, 2), at(3, 3)]));
    expect(idsOf(withAll(list, [at(9, 9), at(3, 3)], true).rows)).toEqual([3, 2, 1]);
    expect(idsOf(withAll(list, [at(9, 9), at(1, 1)], true).rows)).toEqual([1]);
    expect(idsOf(withAll(list, [at(9, 9), at(3, 3)], false).rows)).toEqual([3]);
  });

  it('leaves a paused list as it is read: what is new in it waits', () => {
    const list = withAll(withEvents(paused(known), [at(4, 5)]), [at(1, 0), at(4, 5), at(5, 6)], false);
    expect(idsOf(list.rows)).toEqual([1]);
    expect(idsOf(list.held)).toEqual([5, 4]);
  });
});
