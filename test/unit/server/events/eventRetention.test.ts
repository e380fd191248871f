import { beforeEach, describe, expect, it } from 'vitest';
import {
  EVENT_REMOVAL_LIMIT,
  EventRetention,
  type EventRetentionDeps,
} from '../../../../server/events/eventRetention.ts';
import type { Limit } from '../../../../server/limits/limit.ts';
import type { RemovedEvents } from '../../../../server/store/events/eventRemoval.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../support/waitFor.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 23);

describe('the retention of events', () => {
  let timers: ManualTimers;
  let limits: Limit[];
  /** `archive@days`, `days@archive` as they are asked for. */
  let removed: string[];
  let lookups: number;
  /** Events of each archive that there are to delete. */
  let events: Map<number, number>;
  let abandoned: number[];
  let isStuck: boolean;
  let rounds: number;

  beforeEach(() => {
    timers = new ManualTimers();
    limits = [];
    removed = [];
    lookups = 0;
    events = new Map();
    abandoned = [];
    isStuck = false;
    rounds = 0;
  });

  const removeFirst = async (archiveNumber: number, beforeMs: number, limit: number): Promise<RemovedEvents> => {
    const left = events.get(archiveNumber) ?? 0;
    const count = isStuck ? 0 : Math.min(left, limit);
    events.set(archiveNumber, left - count);
    const days = (NOW_MS - beforeMs) / DAY_MS;
    if (count > 0) removed.push(`${count} of ${archiveNumber} ${days > 0 ? `before ${days} days` : 'of any time'}`);
    return { count, files: [], isMore: left > count && count > 0 };
  };
  const deps = (): EventRetentionDeps => ({
    removal: {
      withExpired: async (_before, _limit, archiveNumbers) => {
        const found = [...events].filter(([, left]) => left > 0).map(([archiveNumber]) => archiveNumber);
        return found.filter((found) => archiveNumbers?.includes(found) ?? true).filter((found) => found < 100);
      },
      removeFirst,
      abandoned: async (limit) => {
        lookups++;
        return abandoned.filter((found) => (events.get(found) ?? 0) > 0).slice(0, limit);
      },
      removeDays: async () => 0,
      removeDrivers: async () => {
        rounds++;
        return undefined;
      },
    },
    months: { addMonths: async () => 0, dropEmpty: async () => undefined },
    archives: async () => [
      { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1, deviceGroup: 5 },
      { deviceId: 'BUS2', incarnation: 2, archiveNumber: 2, deviceGroup: 6 },
      { deviceId: 'BUS3', incarnation: 3, archiveNumber: 3, deviceGroup: undefined },
    ],
    memberGroups: {
      retentionsByDeviceGroup: async () =>
        new Map([
          [5, [7, 30]],
          [6, [900]],
        ]),
    },
    removeFiles: async () => undefined,
    days: 365,
    now: () => NOW_MS,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
    onLimit: (limit) => limits.push(limit),
  });
  const runRound = async (): Promise<EventRetention> => {
    const retention = new EventRetention(deps());
    await waitFor('a round', () => {
      timers.advance(1_000);
      return rounds > 0;
    });
    await retention.close();
    return retention;
  };

  it('keeps the days of the installation, or fewer where a member group says so', async () => {
    events = new Map([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    const retention = await runRound();
    expect(removed).toEqual(['2 of 1 before 7 days', '3 of 2 before 365 days', '4 of 3 before 365 days']);
    expect(retention.deletedEvents).toBe(9);
  });

  it('deletes in parts, with a pause after each', async () => {
    events.set(3, EVENT_REMOVAL_LIMIT.max + 1);
    await runRound();
    expect(removed.map((part) => part.split(' ')[0])).toEqual([`${EVENT_REMOVAL_LIMIT.max}`, '1']);
    expect(limits).toEqual([EVENT_REMOVAL_LIMIT]);
  });

  it('deletes what deleted devices left, whenever it was', async () => {
    abandoned = [400];
    events.set(400, 5);
    await runRound();
    expect(removed).toEqual(['5 of 400 of any time']);
  });

  it('does not look again for archives of which nothing can be deleted', async () => {
    isStuck = true;
    abandoned = Array.from({ length: 500 }, (_, at) => 1_000 + at);
    for (const archiveNumber of abandoned) events.set(archiveNumber, 1);
    await runRound();
    expect(lookups).toBe(1);
  });

  it('stops where it is when it is closed', async () => {
    events.set(3, EVENT_REMOVAL_LIMIT.max * 5);
    const retention = new EventRetention(deps());
    await waitFor('the first part', () => {
      timers.advance(1_000);
      return removed.length > 0;
    });
    await retention.close();
    const parts = removed.length;
    timers.advance(DAY_MS);
    await Promise.resolve();
    expect(removed).toHaveLength(parts);
    expect(parts).toBeLessThan(5);
  });
});
