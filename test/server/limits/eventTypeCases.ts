// How the limits of what administrators define for events are reached.
import { expect, onTestFinished } from 'vitest';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { REASONS_LIMIT } from '../../../server/store/events/eventReasons.ts';
import { CUSTOM_TYPES_LIMIT } from '../../../server/store/events/eventTypes.ts';
import { createStores } from '../../../server/store/stores.ts';
import { anyEventType, anyReason } from '../../support/anyEventType.ts';
import { openTestDatabase } from '../store/testDatabase.ts';
import type { LimitCase } from './describeLimits.ts';

async function openStores(onLimit: OnLimit) {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  return createStores(database.db, onLimit);
}

function addedCase(limit: LimitCase['limit'], adder: (onLimit: OnLimit) => Promise<Adder>): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const { add, count } = await adder(onLimit);
      return {
        upTo: async () => {
          for (let index = 0; index < limit.max; index++) expect(await add(`custom-${index}`)).toBe(true);
        },
        beyond: async () => {
          expect(await add('one-more')).toBe(false);
          expect(await count()).toBe(limit.max);
        },
      };
    },
  };
}

interface Adder {
  readonly add: (code: string) => Promise<boolean>;
  readonly count: () => Promise<number>;
}

export const eventTypeCases: readonly LimitCase[] = [
  addedCase(CUSTOM_TYPES_LIMIT, async (onLimit) => {
    const { eventTypes } = await openStores(onLimit);
    return {
      add: async (code) => (await eventTypes.add({ ...anyEventType(), code, isBuiltIn: false })).ok,
      count: async () => (await eventTypes.all()).length,
    };
  }),
  addedCase(REASONS_LIMIT, async (onLimit) => {
    const { eventReasons } = await openStores(onLimit);
    return {
      add: async (code) => (await eventReasons.add({ ...anyReason(), code, isBuiltIn: false })).ok,
      count: async () => (await eventReasons.all()).length,
    };
  }),
];
