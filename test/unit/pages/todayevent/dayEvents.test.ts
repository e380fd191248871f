// The list against a gateway that answers when it is told to, a live line that the test speaks on, and a clock that it moves.
import { describe, expect, it } from 'vitest';
import {
  DAY_CHECK_MS,
  DayEvents,
  type DayEventsDeps,
  LINE_MS,
  RELOAD_PAUSE_MS,
  RETRY_MS,
} from '../../../../pages/innerpage/todayevent/model/dayEvents.ts';
import { dayWindow } from '../../../../pages/innerpage/todayevent/model/dayRows.ts';
import type { ApiResult } from '../../../../shared/api/client.ts';
import type { ListPage, ListQuery } from '../../../../shared/api/list.ts';
import type { EventListener } from '../../../../shared/live/liveEvents.ts';
import { type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { EVENT_BEGIN_MS, eventRow } from '../../../support/eventRow.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const ZONE = 'Asia/Taipei';
const AWAY = { ok: false, kind: 'network', message: 'away' } as const;

interface Call {
  readonly query: ListQuery;
  readonly signal: AbortSignal;
  readonly answer: (result: ApiResult<ListPage<EventRow>>) => Promise<void>;
}

/** All that is waited for has happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function pageOf(rows: readonly EventRow[], next: string | null = null): ApiResult<ListPage<EventRow>> {
  return { ok: true, value: { rows, next, previous: null, total: rows.length, hasMoreThanTotal: false } };
}

function openTodayEvent() {
  const timers = new ManualTimers();
  const calls: Call[] = [];
  const announced: number[] = [];
  let listener: EventListener | undefined;
  const deps: DayEventsDeps = {
    loadPage: (query, signal) =>
      new Promise((resolve) => {
        const answer = async (result: ApiResult<ListPage<EventRow>>): Promise<void> => {
          resolve(result);
          await settle();
        };
        calls.push({ query, signal, answer });
      }),
    listen: (given) => {
      listener = given;
      return () => {
        listener = undefined;
      };
    },
    now: () => EVENT_BEGIN_MS + timers.now(),
    runAfter: timers.runAfter,
    zone: ZONE,
    onNew: (events) => announced.push(...events.map(({ id }) => id)),
  };
  const dayEvents = new DayEvents(deps);
  const close = dayEvents.subscribe(() => undefined);
  const latest = () => calls.at(-1) ?? expect.fail('nothing was asked');
  const line = () => listener ?? expect.fail('nobody listens');
  const shown = () => dayEvents.state().rows.map(({ id }) => id);
  return { dayEvents, timers, calls, announced, latest, line, shown, close, isListening: () => listener !== undefined };
}

/** A list that shows the event 1. */
async function knownDay() {
  const opened = openTodayEvent();
  opened.line().onReload();
  opened.timers.advance(0);
  await opened.latest().answer(pageOf([eventRow({ id: 1 })]));
  return opened;
}

describe('the list', () => {
  it("asks for the newest of the user's day once the live line says where the list begins", async () => {
    const { dayEvents, timers, calls, latest, line, shown } = openTodayEvent();
    timers.advance(0);
    expect(calls).toEqual([]);
    line().onReload();
    timers.advance(0);
    const { fromMs, toMs } = dayWindow(EVENT_BEGIN_MS, ZONE);
    expect(latest().query).toMatchObject({
      place: { offset: 0 },
      sort: 'time',
      descending: true,
      filters: { from: fromMs, to: toMs },
    });
    expect(dayEvents.state().isKnown).toBe(false);
    await latest().answer(pageOf([eventRow({ id: 2 }), eventRow({ id: 1 })]));
    expect(dayEvents.state()).toMatchObject({ isKnown: true, isCut: false, failure: undefined });
    expect(shown()).toEqual([2, 1]);
    timers.advance(LINE_MS * 2);
    expect(calls).toHaveLength(1);
  });

  it('does without the line where there is none', () => {
    const { timers, calls } = openTodayEvent();
    timers.advance(LINE_MS);
    expect(calls).toHaveLength(1);
  });

  it('asks page after page, up to the bound', async () => {
    const { dayEvents, calls, latest, line, timers } = openTodayEvent();
    line().onReload();
    timers.advance(0);
    const half = (from: number) => Array.from({ length: TODAY_EVENTS_MAX / 2 }, (_, at) => eventRow({ id: from + at }));
    await latest().answer(pageOf(half(5_000), 'behind'));
    expect(latest().query.place).toEqual({ after: 'behind' });
    await latest().answer(pageOf(half(1_000), 'further'));
    expect(calls).toHaveLength(2);
    expect(dayEvents.state()).toMatchObject({ isCut: true, isKnown: true });
    expect(dayEvents.state().rows).toHaveLength(TODAY_EVENTS_MAX);
  });

  it('shows what the line tells, also while the list is on its way', async () => {
    const { latest, line, shown, dayEvents, timers, announced } = openTodayEvent();
    line().onReload();
    timers.advance(0);
    line().onEvents([eventRow({ id: 3 }), eventRow({ id: 1, version: 2, status: 'closed' })]);
    await latest().answer(pageOf([eventRow({ id: 2 }), eventRow({ id: 1 })]));
    expect(shown()).toEqual([3, 2, 1]);
    expect(dayEvents.state().rows.at(-1)?.status).toBe('closed');
    expect(announced).toEqual([]);
  });

  it('tells of events that began since, each once, by the line or by another load', async () => {
    const { latest, line, announced, timers } = await knownDay();
    line().onEvents([eventRow({ id: 2 })]);
    line().onEvents([eventRow({ id: 2, version: 2, count: 2 })]);
    expect(announced).toEqual([2]);
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    await latest().answer(pageOf([eventRow({ id: 3 }), eventRow({ id: 2 }), eventRow({ id: 1 })]));
    expect(announced).toEqual([2, 3]);
  });

  it('tells of no event that it had no room for, nor of those of a device that comes into view', async () => {
    const { dayEvents, latest, line, announced, timers } = await knownDay();
    const second = (id: number) => wallMs(EVENT_BEGIN_MS + id * 1_000);
    const day = Array.from({ length: TODAY_EVENTS_MAX }, (_, at) =>
      eventRow({ id: 10 + at, beginAtMs: second(10 + at) }),
    );
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    await latest().answer(pageOf(day, 'behind'));
    announced.length = 0;
    line().onEvents([eventRow({ id: 2, beginAtMs: second(2), endAtMs: second(3) })]);
    expect(announced).toEqual([]);
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    await latest().answer(pageOf([...day, eventRow({ id: 5, beginAtMs: second(2_011.5) })], 'behind'));
    expect(announced).toEqual([]);
    expect(dayEvents.state().rows).toHaveLength(TODAY_EVENTS_MAX);
    expect(dayEvents.state().rows.some(({ id }) => id === 5)).toBe(true);
  });

  it('tells of events that began while the new day was loaded', async () => {
    const { dayEvents, latest, timers, announced } = await knownDay();
    const { toMs } = dayEvents.state().day;
    timers.advance(toMs - EVENT_BEGIN_MS - timers.now());
    await latest().answer(pageOf([eventRow({ id: 7, beginAtMs: wallMs(toMs) })]));
    expect(announced).toEqual([7]);
  });

  it('takes what the user did at once', async () => {
    const { dayEvents, line } = await knownDay();
    dayEvents.merge([eventRow({ id: 1, version: 2, status: 'acknowledged' })]);
    line().onEvents([eventRow({ id: 1 })]);
    expect(dayEvents.state().rows[0]?.status).toBe('acknowledged');
  });

  it('loads not more often than every few seconds, however often the line wants it', async () => {
    const { calls, latest, line, timers } = await knownDay();
    line().onReload();
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS - 1);
    expect(calls).toHaveLength(1);
    timers.advance(1);
    expect(calls).toHaveLength(2);
    line().onReload();
    await latest().answer(pageOf([]));
    timers.advance(RELOAD_PAUSE_MS);
    expect(calls).toHaveLength(3);
  });

  it('keeps what it shows when a load fails, says so, and tries again', async () => {
    const { dayEvents, calls, latest, line, shown, timers } = await knownDay();
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    await latest().answer(AWAY);
    expect(dayEvents.state().failure).toBe(AWAY);
    expect(shown()).toEqual([1]);
    timers.advance(RETRY_MS);
    expect(calls).toHaveLength(3);
    await latest().answer(pageOf([]));
    expect([dayEvents.state().failure, shown()]).toEqual([undefined, []]);
  });

  it('tries again at once when the user wants it', async () => {
    const { dayEvents, calls, latest, line, timers } = openTodayEvent();
    line().onReload();
    timers.advance(0);
    await latest().answer(AWAY);
    dayEvents.reload();
    expect(calls).toHaveLength(2);
  });

  it('holds new events back while it is paused, and still tells of them', async () => {
    const { dayEvents, line, shown, announced } = await knownDay();
    dayEvents.pause();
    line().onEvents([eventRow({ id: 2 })]);
    expect([shown(), dayEvents.state().held.map(({ id }) => id), announced]).toEqual([[1], [2], [2]]);
    dayEvents.resume();
    expect([shown(), dayEvents.state().held]).toEqual([[2, 1], []]);
  });

  it('begins anew at midnight, still paused if it was', async () => {
    const { dayEvents, calls, latest, line, shown, timers } = await knownDay();
    dayEvents.pause();
    const { toMs } = dayEvents.state().day;
    timers.advance(toMs - EVENT_BEGIN_MS - 1 - timers.now());
    expect(calls).toHaveLength(1);
    timers.advance(1);
    expect(dayEvents.state()).toMatchObject({ day: { fromMs: toMs }, isKnown: false, isPaused: true, rows: [] });
    expect(calls).toHaveLength(2);
    expect(latest().query.filters).toMatchObject({ from: toMs });
    line().onEvents([eventRow({ id: 1, version: 9 })]);
    await latest().answer(pageOf([]));
    expect(shown()).toEqual([]);
    line().onEvents([eventRow({ id: 5, beginAtMs: wallMs(toMs + 1) })]);
    expect(dayEvents.state().held.map(({ id }) => id)).toEqual([5]);
  });

  it('takes no list of yesterday for that of today', async () => {
    const { dayEvents, calls, line, shown, timers } = await knownDay();
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    const yesterday = calls[1] ?? expect.fail('nothing was asked');
    timers.advance(dayEvents.state().day.toMs - EVENT_BEGIN_MS + DAY_CHECK_MS);
    expect(yesterday.signal.aborted).toBe(true);
    await yesterday.answer(pageOf([eventRow({ id: 4 })]));
    expect([shown(), dayEvents.state().isKnown]).toEqual([[], false]);
  });

  it('leaves nothing running when nobody looks any more, and can be opened again', async () => {
    const { dayEvents, close, calls, line, timers, isListening } = await knownDay();
    line().onReload();
    timers.advance(RELOAD_PAUSE_MS);
    close();
    expect([isListening(), timers.pending, calls[1]?.signal.aborted]).toEqual([false, 0, true]);
    const closeAgain = dayEvents.subscribe(() => undefined);
    timers.advance(LINE_MS);
    expect(calls).toHaveLength(3);
    closeAgain();
  });
});
