// How the limits of data usage are reached.
import { expect, onTestFinished } from 'vitest';
import { HELD_HOURS_LIMIT, HourBook } from '../../../../server/netflow/counting/hourBook.ts';
import { COUNTED_DEVICES_LIMIT, TrafficCounter } from '../../../../server/netflow/counting/trafficCounter.ts';
import { SIM_PLANS_LIMIT } from '../../../../server/store/netflow/simPlans.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';

const HOUR_MS = 3_600_000;
const TRAFFIC = { receivedBytes: 1, sentBytes: 0 };

const countedDevices: LimitCase = {
  limit: COUNTED_DEVICES_LIMIT,
  open: (onLimit) => {
    const counter = new TrafficCounter(onLimit);
    return {
      upTo: () => {
        for (let device = 0; device < COUNTED_DEVICES_LIMIT.max; device++) counter.note(device, 'live', TRAFFIC);
      },
      beyond: () => {
        counter.note(COUNTED_DEVICES_LIMIT.max, 'live', TRAFFIC);
        expect(counter.take()).toHaveLength(COUNTED_DEVICES_LIMIT.max);
      },
    };
  },
};

const heldHours: LimitCase = {
  limit: HELD_HOURS_LIMIT,
  open: (onLimit) => {
    const book = new HourBook(onLimit);
    const counted = { incarnation: 1, received: [1], sent: [0] };
    return {
      upTo: () => {
        for (let hour = 0; hour < HELD_HOURS_LIMIT.max; hour++) book.add(counted, hour * HOUR_MS);
      },
      beyond: () => {
        book.add(counted, HELD_HOURS_LIMIT.max * HOUR_MS);
        const { rows } = book.unwritten();
        expect(rows).toHaveLength(HELD_HOURS_LIMIT.max);
        expect(rows.at(-1)?.received[0]).toBe(2);
      },
    };
  },
};

const plans: LimitCase = {
  limit: SIM_PLANS_LIMIT,
  open: async (onLimit) => {
    const { db, close } = await openTestDatabase('sqlite');
    onTestFinished(() => close());
    const stores = createStores(db, onLimit);
    const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
    const rules = { megabytes: 1, resetDay: 1, timeZone: 'UTC', price: '', action: 'none' } as const;
    const add = (name: string) => stores.simPlans.insert(memberGroup, { name, ...rules });
    return {
      upTo: async () => {
        for (let plan = 0; plan < SIM_PLANS_LIMIT.max; plan++) expect((await add(`${plan}`)).ok).toBe(true);
      },
      beyond: async () => expect(await add('one more')).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

export const netflowCases: readonly LimitCase[] = [countedDevices, heldHours, plans];
