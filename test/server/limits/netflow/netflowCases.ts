// How the limits of data usage are reached.
import { expect, onTestFinished } from 'vitest';
import { HELD_HOURS_LIMIT, HourBook } from '../../../../server/netflow/counting/hourBook.ts';
import { STRANGERS_LIMIT, Strangers } from '../../../../server/netflow/counting/strangers.ts';
import { COUNTED_DEVICES_LIMIT, TrafficCounter } from '../../../../server/netflow/counting/trafficCounter.ts';
import { HELD_WITHHELD_LIMIT, WithheldBook } from '../../../../server/netflow/counting/withheldBook.ts';
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

const strangers: LimitCase = {
  limit: STRANGERS_LIMIT,
  open: (onLimit) => {
    const strangers = new Strangers(onLimit);
    const meet = (incarnation: number) => strangers.meet({ incarnation, received: [1], sent: [0] });
    return {
      upTo: () => {
        for (let device = 0; device < STRANGERS_LIMIT.max; device++) expect(meet(device)).toBe(true);
      },
      beyond: () => {
        expect(meet(STRANGERS_LIMIT.max)).toBe(false);
        expect(strangers.size).toBe(STRANGERS_LIMIT.max);
      },
    };
  },
};

const heldWithheld: LimitCase = {
  limit: HELD_WITHHELD_LIMIT,
  open: (onLimit) => {
    const book = new WithheldBook(onLimit);
    const withhold = (atMs: number): void => {
      book.change(1, 'no-video', atMs);
      book.change(1, 'none', atMs + 1);
    };
    return {
      upTo: () => {
        for (let time = 0; time < HELD_WITHHELD_LIMIT.max; time++) withhold(2 * time);
      },
      beyond: () => {
        withhold(2 * HELD_WITHHELD_LIMIT.max);
        expect(book.unwritten(0)).toHaveLength(HELD_WITHHELD_LIMIT.max);
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
    const add = (name: string) =>
      stores.simPlans.insert({ memberGroup }, { content: { name, ...rules }, by: '', atMs: 1 });
    return {
      upTo: async () => {
        for (let plan = 0; plan < SIM_PLANS_LIMIT.max; plan++) expect((await add(`${plan}`)).ok).toBe(true);
      },
      beyond: async () => expect(await add('one more')).toEqual({ ok: false, reason: 'too-many' }),
    };
  },
};

export const netflowCases: readonly LimitCase[] = [countedDevices, heldHours, strangers, heldWithheld, plans];
