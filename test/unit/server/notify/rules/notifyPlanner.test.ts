import { describe, expect, it } from 'vitest';
import { NotifyPlanner, WAITING_MESSAGES_LIMIT } from '../../../../../server/notify/rules/notifyPlanner.ts';
import type { StoredNotifyRule } from '../../../../../server/store/notify/notifyRules.ts';
import type { ToldTime } from '../../../../../server/store/notify/notifyTold.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { aRule, aToldEvent, HOOK, NOON_MS, NORTH, someFacts } from '../../../../support/notify/notifyFacts.ts';

const MINUTE_MS = 60_000;

function createPlanner(
  rule: Partial<StoredNotifyRule>,
  told: readonly ToldTime[] = [],
  waiting: ReadonlyMap<number, number> = new Map(),
) {
  const timers = new ManualTimers();
  const woken: number[][] = [];
  let nowMs = NOON_MS;
  const asked: number[] = [];
  const planner = new NotifyPlanner({
    settings: { facts: someFacts({ rules: [aRule(rule)] }) },
    told: {
      since: async (sinceMs) => {
        asked.push(sinceMs);
        return [...told];
      },
      waitingByGroup: async () => waiting,
    },
    isFailing: () => false,
    onMessages: (messages) => woken.push(messages.map(({ sender }) => sender)),
    now: () => nowMs,
    runAfter: timers.runAfter,
    onFault: noFaults,
    onLimit: () => undefined,
  });
  return {
    planner,
    woken,
    asked,
    pass: (minutes: number) => {
      nowMs += minutes * MINUTE_MS;
    },
  };
}

describe('planning the messages of a batch of events', () => {
  it('names the event of each message by its place in the batch, and wakes the senders once they are stored', () => {
    const { planner, woken } = createPlanner({});
    const planned = planner.plan([aToldEvent(), aToldEvent({ device: { archiveNumber: 3 } }), aToldEvent()]);
    expect(planned.messages.map(({ event, message }) => [event, message.sender])).toEqual([
      [0, 1],
      [2, 1],
    ]);
    expect(new Set(planned.messages.map(({ message }) => message.key)).size).toBe(2);
    expect(woken).toEqual([]);
    planned.stored();
    expect(woken).toEqual([[1, 1]]);
    expect(planner.plannedCount).toBe(2);
  });

  it('wakes nobody for events that tell nobody', () => {
    const { planner, woken } = createPlanner({ types: [HOOK.name] });
    planner.plan([aToldEvent()]).stored();
    expect(woken).toEqual([]);
  });

  it('still tells of events of a member group when another one has filled the outbox', async () => {
    const { planner } = createPlanner({ memberGroup: NORTH }, [], new Map([[NORTH + 1, WAITING_MESSAGES_LIMIT.max]]));
    await planner.start();
    expect(planner.plan([aToldEvent()]).messages).toHaveLength(1);
    const full = createPlanner({ memberGroup: NORTH }, [], new Map([[NORTH, WAITING_MESSAGES_LIMIT.max]]));
    await full.planner.start();
    expect(full.planner.plan([aToldEvent()]).messages).toEqual([]);
  });

  it('keeps the interval of each device and type, within a batch too', () => {
    const { planner, pass } = createPlanner({ intervalMinutes: 10 });
    const other = aToldEvent({ type: 'idling' });
    const otherBus = aToldEvent({ device: { archiveNumber: 2 } });
    const events = [aToldEvent(), aToldEvent(), other, otherBus];
    const first = planner.plan(events);
    expect(first.messages.map(({ event }) => event)).toEqual([0, 2, 3]);
    first.stored();
    pass(9);
    expect(planner.plan([aToldEvent()]).messages).toEqual([]);
    pass(1);
    expect(planner.plan([aToldEvent()]).messages).toHaveLength(1);
  });

  it('counts no interval from a batch that was not stored', () => {
    const { planner } = createPlanner({ intervalMinutes: 10 });
    planner.plan([aToldEvent()]);
    expect(planner.plan([aToldEvent()]).messages).toHaveLength(1);
  });

  it('goes on with intervals that began before a start', async () => {
    const times = [
      { rule: 1, archiveNumber: 1, type: 'speeding', atMs: NOON_MS - 9 * MINUTE_MS },
      { rule: 1, archiveNumber: 1, type: 'idling', atMs: NOON_MS - 10 * MINUTE_MS },
    ];
    const { planner, asked } = createPlanner({ intervalMinutes: 10 }, times);
    await planner.start();
    expect(asked).toEqual([NOON_MS - 24 * 60 * MINUTE_MS]);
    expect(planner.plan([aToldEvent(), aToldEvent({ type: 'idling' })]).messages).toMatchObject([{ event: 1 }]);
    await planner.close();
  });
});
