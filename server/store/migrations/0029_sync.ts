import { type Kysely, sql } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const sync: Migration = {
  version: 29,
  name: 'data sync, and where recordings came from',
  async up(db, engine) {
    await db.schema
      .alterTable('segment')
      .addColumn('origin', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    // Few segments are fetched: the others cost nothing here.
    await sql`create index segment_fetched on segment (archive_id, channel, start_ms) where origin = 1`.execute(db);
    await createRules(db, engine);
    await createItems(db, engine);
    await createListings(db, engine);
  },
};

async function createRules({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('sync_rule'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('priority', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_by', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}

async function createItems({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('sync_item'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('stream', 'text', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('device_from_ms', 'bigint', (c) => c.notNull())
    .addColumn('device_to_ms', 'bigint', (c) => c.notNull())
    .addColumn('rule', 'bigint', (c) => c.references('sync_rule.id').onDelete('set null'))
    .addColumn('member_group', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('requested_by', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('event_id', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('is_ended', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('wait', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('fault', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('method', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('received_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('total_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('bytes_per_second', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('transfer_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('file', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('position', 'bigint', (c) => c.notNull())
    .addColumn('next_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('sync_item_by_device')
    .on('sync_item')
    .columns(['incarnation', 'channel', 'from_ms'])
    .execute();
  await schema.createIndex('sync_item_by_position').on('sync_item').columns(['is_ended', 'position', 'id']).execute();
  await schema
    .createIndex('sync_item_by_turn')
    .on('sync_item')
    .columns(['incarnation', 'is_ended', 'position', 'id'])
    .execute();
  await schema.createIndex('sync_item_by_change').on('sync_item').columns(['changed_at_ms', 'id']).execute();
}

async function createListings({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('device_recording'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('stream', 'text', (c) => c.notNull())
    .addColumn('alarms', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('is_gone', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex('device_recording_by_time')
    .on('device_recording')
    .columns(['incarnation', 'channel', 'from_ms'])
    .execute();
  await schema
    .createTable('device_listing')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('listed_at_ms', 'bigint', (c) => c.notNull())
    .execute();
}
