import type { StoreDb } from '../../engine/database.ts';
import { stateLiteral } from './messageRows.ts';

export interface MessageRemovalStore {
  /** Messages that were made before a time, with their attempts, so many at most; those that wait stay. Gives how many. */
  removeOlder(beforeMs: number, limit: number): Promise<number>;
}

export function createMessageRemovalStore(db: StoreDb): MessageRemovalStore {
  return {
    removeOlder: async (beforeMs, limit) => {
      const old = db
        .selectFrom('notify_message')
        .where('created_at_ms', '<', beforeMs)
        .where('state', '<>', stateLiteral('waiting'))
        .select('id')
        .orderBy('created_at_ms')
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('notify_message').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
