// The only module that knows `event_filter`: filters of events that a user has saved under a name.
import type { Selectable } from 'kysely';
import {
  type NewEventFilter,
  SAVED_FILTERS_MAX,
  type SavedEventFilter,
  type SavedFilterQuery,
} from '../../../shared/protocol/api/events.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { EventFilterTable } from './tables.ts';

export interface EventFilterStore {
  /** By name. */
  listOf(userId: number): Promise<SavedEventFilter[]>;
  /** Replaces one of the same name. Undefined, and nothing is kept, when the user has as many as may be. */
  put(userId: number, filter: NewEventFilter): Promise<SavedEventFilter | undefined>;
  remove(userId: number, id: number): Promise<boolean>;
}

/** Saved filters of events of one account. A further one is refused with 409 `too-many-filters`. */
export const EVENT_FILTERS_LIMIT: Limit = { name: 'account.event-filters.account', max: SAVED_FILTERS_MAX };

export function createEventFilterStore(db: StoreDb, onLimit?: OnLimit): EventFilterStore {
  const ofUser = (userId: number) => db.selectFrom('event_filter').selectAll().where('user_id', '=', userId);
  return {
    listOf: async (userId) => (await ofUser(userId).orderBy('name').execute()).map(toFilter),
    put: async (userId, { name, query }) => {
      const change = { query: JSON.stringify(query) };
      const known = await ofUser(userId).execute();
      if (known.length >= EVENT_FILTERS_LIMIT.max && !known.some((filter) => filter.name === name)) {
        onLimit?.(EVENT_FILTERS_LIMIT);
        return undefined;
      }
      const insert = db.insertInto('event_filter').values({ user_id: userId, name, ...change });
      const put = insert.onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(change));
      return toFilter(await put.returningAll().executeTakeFirstOrThrow());
    },
    remove: async (userId, id) => {
      const removed = db.deleteFrom('event_filter').where('user_id', '=', userId).where('id', '=', id);
      return (await removed.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

function toFilter({ id, name, query }: Selectable<EventFilterTable>): SavedEventFilter {
  return { id, name, query: JSON.parse(query) as SavedFilterQuery };
}
