import { beforeEach, describe, expect, it } from 'vitest';
import type { EventChange } from '../../../../../server/events/engine/eventTracker.ts';
import {
  type EventPlanner,
  EventWriter,
  type StoredChange,
  WAITING_EVENTS_LIMIT,
} from '../../../../../server/events/engine/eventWriter.ts';
import type { TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import type { Limit } from '../../../../../server/limits/limit.ts';
import type { BegunEvent, EventBatch, EventRange } from '../../../../../server/store/events/eventLog.ts';
import { newTrackedEvent } from '../../../../support/newTrackedEvent.ts';
import { aPlannedMessage } from '../../../../support/plannedMessage.ts';

const BEGIN_MS = 1_795_000_000_000;

describe('EventWriter', () => {
  let batches: EventBatch[];
  let stored: StoredChange[];
  let faults: Error[];
  let limits: Limit[];
  let timers: { readonly delayMs: number; readonly run: () => void }[];
  let fail: (batch: EventBatch) => boolean;
  let writer: EventWriter;
  let lastId: number;
  let begun: (wanted: EventRange) => BegunEvent[];
  let onStored: (changes: readonly StoredChange[]) => void;
  let plan: EventPlanner['plan'];

  const change = (event: TrackedEvent, kind: EventChange['kind'] = 'begun'): EventChange => ({ kind, event });
  /** Runs the timer that is due, and waits for what it began. */
  const tick = async (): Promise<number> => {
    const timer = timers.shift();
    timer?.run();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    return timer?.delayMs ?? -1;
  };

  const add = (changes: readonly EventChange[]): void => {
    writer.add(changes);
  };

  beforeEach(() => {
    batches = [];
    stored = [];
    faults = [];
    limits = [];
    timers = [];
    fail = () => false;
    lastId = 0;
    begun = () => [];
    onStored = (changes) => stored.push(...changes);
    plan = () => ({ messages: [], stored: () => undefined });
    writer = new EventWriter({
      store: {
        write: async (batch) => {
          if (fail(batch)) throw new Error('no');
          batches.push(batch);
          return batch.added.map(() => ++lastId);
        },
        begunBetween: async (wanted) => begun(wanted),
      },
      runAfter: (delayMs, run) => {
        const timer = { delayMs, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
      onStored: (changes) => onStored(changes),
      planner: { plan: (events) => plan(events) },
      onFault: (error) => faults.push(error),
      onLimit: (limit) => limits.push(limit),
    });
  });

  it('writes the first event within milliseconds, gives it its id, and says so', async () => {
    const event = newTrackedEvent();
    add([change(event)]);
    expect(await tick()).toBeLessThanOrEqual(10);
    expect(batches).toMatchObject([{ added: [{ type: 'speeding', archiveNumber: 1 }], changed: [] }]);
    expect(event.id).toBe(1);
    expect(stored).toEqual([{ kind: 'begun', event }]);
  });

  describe('who is told', () => {
    /** One message for each event that is added, and how many were told to be stored. */
    const planOne = (): { planned: number; stored: number } => {
      const counts = { planned: 0, stored: 0 };
      plan = (events) => {
        counts.planned++;
        const messages = events.map((_, event) => ({ event, message: aPlannedMessage(), joinsFromMs: 0 }));
        const noteStored = (): void => {
          counts.stored += messages.length;
        };
        return { messages, stored: noteStored };
      };
      return counts;
    };

    it('is decided as events are added, not as they change, and written with them', async () => {
      const counts = planOne();
      const event = newTrackedEvent();
      add([change(event)]);
      await tick();
      add([change(event, 'repeated')]);
      await tick();
      expect(batches.map(({ messages }) => messages?.length)).toEqual([1, undefined]);
      expect(counts).toEqual({ planned: 1, stored: 1 });
    });

    it('is decided anew when the database takes the events at another attempt', async () => {
      const counts = planOne();
      fail = () => batches.length === 0 && faults.length === 0;
      add([change(newTrackedEvent())]);
      await tick();
      expect(counts).toEqual({ planned: 1, stored: 0 });
      await tick();
      expect(counts).toEqual({ planned: 2, stored: 1 });
      expect(batches).toMatchObject([{ messages: [{ event: 0 }] }]);
    });

    it('costs no event where it cannot be decided', async () => {
      plan = () => {
        throw new Error('no rules');
      };
      add([change(newTrackedEvent())]);
      await tick();
      expect(batches).toMatchObject([{ added: [{ type: 'speeding' }], messages: undefined }]);
      expect(faults).toMatchObject([{ message: 'nobody is told of 1 events', cause: { message: 'no rules' } }]);
    });

    it('is nobody where the database takes all but the messages', async () => {
      planOne();
      fail = ({ added, messages = [] }) => messages.length > 0 && added.some(({ type }) => type === 'idling');
      add([change(newTrackedEvent({ type: 'idling' }))]);
      for (let turn = 0; turn < 3; turn++) await tick();
      add([change(newTrackedEvent())]);
      for (let turn = 0; turn < 6; turn++) await tick();
      expect(batches.filter(({ added }) => added.some(({ type }) => type === 'idling'))).toMatchObject([
        { added: [{ type: 'idling' }], messages: undefined },
      ]);
    });

    it('does not keep pages from hearing of the events', async () => {
      plan = () => ({
        messages: [],
        stored: () => {
          throw new Error('no');
        },
      });
      add([change(newTrackedEvent())]);
      await tick();
      expect(stored).toHaveLength(1);
      expect(faults).toHaveLength(1);
    });
  });

  it('writes together, a moment later, what came while it was writing', async () => {
    add([change(newTrackedEvent())]);
    timers.shift()?.run();
    add([change(newTrackedEvent()), change(newTrackedEvent())]);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([30]);
    await tick();
    expect(batches.map(({ added }) => added.length)).toEqual([1, 2]);
  });

  it('writes once what changed several times, as it is then', async () => {
    const event = newTrackedEvent();
    add([change(event)]);
    event.endAtMs = BEGIN_MS + 5_000;
    add([change(event, 'ended')]);
    await tick();
    expect(batches).toMatchObject([{ added: [{ endAtMs: BEGIN_MS + 5_000 }] }]);
    expect(stored.map(({ kind }) => kind)).toEqual(['begun']);
  });

  it('changes by its id what the database has, also when it changed while it was written', async () => {
    const event = newTrackedEvent();
    add([change(event)]);
    timers.shift()?.run();
    event.count = 2;
    add([change(event, 'repeated')]);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    await tick();
    expect(batches[1]).toMatchObject({ added: [], changed: [{ id: 1, count: 2 }] });
  });

  it('counts events and their seconds by day, and takes the seconds back of one that goes on', async () => {
    const event = newTrackedEvent();
    event.endAtMs = BEGIN_MS + 5_000;
    add([change(event)]);
    await tick();
    event.endAtMs = 0;
    add([change(event, 'repeated')]);
    await tick();
    event.endAtMs = BEGIN_MS + 20_000;
    add([change(event, 'ended')]);
    await tick();
    expect(batches.map(({ days }) => days.map(({ day, count, seconds }) => [day, count, seconds]))).toEqual([
      [[20_261_123, 1, 5]],
      [[20_261_123, 0, -5]],
      [[20_261_123, 0, 20]],
    ]);
  });

  it('says when a change is stored, and not before: not by the write that was under way', async () => {
    const event = newTrackedEvent();
    const said: string[] = [];
    add([change(event)]);
    const begun = writer.whenStored([event]).then(() => said.push('begun'));
    timers.shift()?.run();
    event.endAtMs = BEGIN_MS + 1;
    add([change(event, 'ended')]);
    const ended = writer.whenStored([event]).then(() => said.push('ended'));
    await begun;
    expect(said).toEqual(['begun']);
    await tick();
    await ended;
    expect(batches).toHaveLength(2);
  });

  it('waits no longer for what is dropped', async () => {
    fail = () => true;
    const full = Array.from({ length: WAITING_EVENTS_LIMIT.max }, () => change(newTrackedEvent({ severity: 'minor' })));
    add(full);
    const dropped = newTrackedEvent({ severity: 'info' });
    add([change(dropped)]);
    await writer.whenStored([dropped]);
    expect(limits).toEqual([WAITING_EVENTS_LIMIT]);
  });

  it('keeps events while the database is away, and writes them when it is back', async () => {
    fail = () => true;
    const event = newTrackedEvent();
    add([change(event)]);
    await tick();
    expect(faults).toHaveLength(1);
    expect(writer.waitingCount).toBe(1);
    fail = () => false;
    expect(await tick()).toBe(5_000);
    expect(event.id).toBe(1);
    expect(stored.map(({ kind }) => kind)).toEqual(['begun']);
  });

  it('finds the one event that the database refuses, and stores all others', async () => {
    fail = ({ added }) => added.some(({ type }) => type === 'bad');
    const events = Array.from({ length: 20 }, (_, at) => newTrackedEvent({ type: at === 7 ? 'bad' : 'speeding' }));
    add(events.map((event) => change(event)));
    for (let turn = 0; turn < 100 && timers.length > 0; turn++) {
      await tick();
      // Something new comes now and then, which shows that the database is there.
      if (turn % 3 === 0 && turn < 60) add([change(newTrackedEvent({ type: `later-${turn}` }))]);
    }
    expect(events.filter(({ id }) => id === undefined).map(({ type }) => type)).toEqual(['bad']);
    expect(writer.waitingCount).toBe(0);
    expect(faults.at(-1)?.message).toBe('an event of type bad cannot be stored');
  });

  it('drops the least severe beyond its limit, and never a critical one', () => {
    fail = () => true;
    const many = Array.from({ length: WAITING_EVENTS_LIMIT.max }, () => newTrackedEvent({ severity: 'minor' }));
    add(many.map((event) => change(event)));
    expect(limits).toEqual([]);
    add([change(newTrackedEvent({ severity: 'info' }))]);
    expect(limits).toEqual([WAITING_EVENTS_LIMIT]);
    expect(writer.waitingCount).toBe(WAITING_EVENTS_LIMIT.max);
    add([change(newTrackedEvent({ severity: 'major' }))]);
    expect(writer.waitingCount).toBe(WAITING_EVENTS_LIMIT.max);
    add([change(newTrackedEvent({ severity: 'critical' }))]);
    expect(writer.waitingCount).toBe(WAITING_EVENTS_LIMIT.max + 1);
  });

  it('drops the oldest of the least severe, and nothing of an event that is being written', async () => {
    const early = newTrackedEvent({ severity: 'info' });
    add([change(early)]);
    timers.shift()?.run();
    add([change(early, 'ended')]);
    const many = [newTrackedEvent({ severity: 'info', type: 'oldest' })];
    while (many.length < WAITING_EVENTS_LIMIT.max - 1) many.push(newTrackedEvent({ severity: 'minor' }));
    add(many.map((event) => change(event)));
    add([change(newTrackedEvent({ type: 'first' })), change(newTrackedEvent({ type: 'second' }))]);
    await writer.close();
    const added = batches.flatMap((batch) => batch.added);
    expect(added.filter(({ severity }) => severity !== 'minor').map(({ type }) => type)).toEqual([
      'speeding',
      'first',
      'second',
    ]);
    expect(added).toHaveLength(WAITING_EVENTS_LIMIT.max);
    expect(batches.flatMap(({ changed }) => changed.map(({ id }) => id))).toEqual([early.id]);
  });

  it('goes on when whoever is told of what is stored fails', async () => {
    onStored = () => {
      throw new Error('a bug');
    };
    add([change(newTrackedEvent())]);
    await tick();
    expect(faults.map(({ message }) => message)).toEqual(['events are stored, but not everybody could be told']);
    add([change(newTrackedEvent())]);
    await tick();
    expect(batches).toHaveLength(2);
  });

  describe('a late event', () => {
    const late = (seconds: number, more: Partial<TrackedEvent> = {}) =>
      newTrackedEvent({ isLate: true, beginAtMs: BEGIN_MS + seconds * 1_000, ...more });

    it('that the database has already is not stored again, and nothing of it later', async () => {
      const asked: EventRange[] = [];
      begun = (wanted) => {
        asked.push(wanted);
        return [{ ...newTrackedEvent(), endAtMs: BEGIN_MS + 60_000 }];
      };
      const again = late(30);
      const other = late(30, { unit: 2 });
      add([change(again), change(other)]);
      const told = writer.whenStored([again]);
      await tick();
      await told;
      add([change(again, 'ended')]);
      await tick();
      expect(batches).toMatchObject([{ added: [{ unit: 2 }], days: [{ count: 1 }] }]);
      expect(stored.map(({ event }) => event)).toEqual([other]);
      expect(asked[0]).toMatchObject({ archiveNumber: 1, type: 'speeding' });
    });

    it('that is written together with the same one is stored once', async () => {
      const first = late(0, { endAtMs: BEGIN_MS + 10_000 });
      add([change(first), change(late(0)), change(late(11)), change(late(5, { type: 'idling' }))]);
      await writer.close();
      expect(batches[0]?.added.map(({ type, beginAtMs }) => [type, beginAtMs - BEGIN_MS])).toEqual([
        ['speeding', 0],
        ['speeding', 11_000],
        ['idling', 5_000],
      ]);
    });
  });

  it('writes what is left when it is closed, and reports what the database does not take', async () => {
    add([change(newTrackedEvent())]);
    await writer.close();
    expect(batches).toHaveLength(1);
    fail = () => true;
    add([change(newTrackedEvent()), change(newTrackedEvent())]);
    await writer.close();
    expect(faults.at(-1)?.message).toMatch(/^2 events were lost at shutdown/);
    expect(timers).toEqual([]);
  });
});
