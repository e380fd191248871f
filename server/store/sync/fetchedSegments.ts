// Recordings that a rule of data sync has fetched, so that they can be deleted after the days that the rule keeps them.
import { sql } from 'kysely';
import { numberOfSegmentOrigin } from '../../../shared/protocol/segmentOrigins.ts';
import type { StoreDb } from '../engine/database.ts';
import { MAX_SEGMENT_MS, type StoredSegment, toSegment } from '../recordings/segments.ts';
import { stateNumber } from './syncItemRows.ts';

interface FetchedByRule {
  readonly rule: number;
  /** When the items had ended at the latest. */
  readonly endedBeforeMs: number;
  /** The last of the page before; 0 for the first one. */
  readonly afterId: number;
  readonly limit: number;
}

export interface FetchedSegmentStore {
  /** What came for items of the rule, by id, except what a member or an event asked for besides. Of devices that are there. */
  ofRule(wanted: FetchedByRule): Promise<StoredSegment[]>;
}

/** An item is at most ten minutes long, and a group of pictures may begin before it. */
const LONGEST_ITEM_MS = 15 * 60_000;
// Known to the statement itself: else neither database takes the index of those that were fetched.
const FETCHED = sql.lit(numberOfSegmentOrigin('fetched'));

export function createFetchedSegmentStore(db: StoreDb): FetchedSegmentStore {
  const middle = sql<number>`(segment.start_ms + segment.end_ms) / 2`;
  const items = () =>
    db
      .selectFrom('sync_item')
      .innerJoin('device', 'device.incarnation', 'sync_item.incarnation')
      .select('sync_item.id')
      .where('device.archive_id', '=', sql.ref<string>('segment.archive_id'))
      .where('sync_item.channel', '=', sql.ref<number>('segment.channel'))
      .where('sync_item.from_ms', '<=', middle)
      .where('sync_item.from_ms', '>', sql<number>`segment.start_ms - ${sql.lit(LONGEST_ITEM_MS + MAX_SEGMENT_MS)}`)
      .where('sync_item.to_ms', '>', middle);
  return {
    ofRule: async ({ rule, endedBeforeMs, afterId, limit }) => {
      const own = items()
        .where('sync_item.rule', '=', rule)
        .where('sync_item.is_ended', '=', 1)
        .where('sync_item.received_bytes', '>', 0)
        .where('sync_item.changed_at_ms', '<', endedBeforeMs);
      const asked = items().where('sync_item.rule', 'is', null).where('sync_item.state', '=', stateNumber('done'));
      const rows = await db
        .selectFrom('segment')
        .selectAll()
        .where('segment.origin', '=', FETCHED)
        .where('segment.id', '>', afterId)
        .where(({ exists }) => exists(own))
        .where(({ exists, not }) => not(exists(asked)))
        .orderBy('segment.id')
        .limit(limit)
        .execute();
      return rows.map(toSegment);
    },
  };
}
