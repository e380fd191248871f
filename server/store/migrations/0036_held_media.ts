import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What is held is the oldest there is, and all of it was read again for each new file that had to make room: 80 ms on the embedded database,
 * with 100,000 held files among 500,000.
 */
export const heldMedia: Migration = {
  version: 36,
  name: 'files of held events lie apart from those that can make room',
  async up(db) {
    await db.schema
      .alterTable('event_media')
      .addColumn('held', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await markHeld(db);
    await db.schema.dropIndex('event_media_by_state').execute();
    await db.schema
      .createIndex('event_media_by_state')
      .on('event_media')
      .columns(['state', 'held', 'stored_at_ms', 'id'])
      .execute();
  },
};

/** An event is held as long as its clip is. The holds are few and have an index, unlike held events. */
async function markHeld(db: Kysely<unknown>): Promise<void> {
  await sql`update event_media set held = 1
    where event_id in (select event_id from evidence_hold where event_id > 0 and released_at_ms = 0)`.execute(db);
}
