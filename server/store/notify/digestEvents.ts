// Which events a message tells of, where it tells of several.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';

/** Events of one digest. Further ones are left out of its text. */
export const DIGEST_EVENTS_LIMIT: Limit = { name: 'notify.digest.events', max: 5_000 };

export interface DigestEventStore {
  /** Ids, the first one first, at most DIGEST_EVENTS_LIMIT. */
  idsOf(messageId: number): Promise<number[]>;
}

export function createDigestEventStore(db: StoreDb, onLimit?: OnLimit): DigestEventStore {
  return {
    idsOf: async (messageId) => {
      const rows = db.selectFrom('notify_digest_event').select('event_id').where('message_id', '=', messageId);
      const ordered = rows
        .orderBy('event_begin_at_ms')
        .orderBy('event_id')
        .limit(DIGEST_EVENTS_LIMIT.max + 1);
      const ids = (await ordered.execute()).map((row) => row.event_id);
      if (ids.length > DIGEST_EVENTS_LIMIT.max) onLimit?.(DIGEST_EVENTS_LIMIT);
      return ids.slice(0, DIGEST_EVENTS_LIMIT.max);
    },
  };
}
