import { type Engine, type Migration, withSerial } from '../migration.ts';

export const eventMedia: Migration = {
  version: 19,
  name: 'pictures and files of events',
  async up({ schema }, engine) {
    await createMedia(schema, engine);
    await createRequests(schema);
    for (const column of ['event_id', 'event_begin_at_ms']) {
      await schema
        .alterTable('evidence_hold')
        .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await schema.createIndex('evidence_hold_by_event').on('evidence_hold').column('event_id').execute();
  },
};

type Schema = Parameters<Migration['up']>[0]['schema'];

async function createMedia(schema: Schema, engine: Engine): Promise<void> {
  // No reference to the event, whose key has two columns on PostgreSQL; retention takes both.
  await withSerial(schema.createTable('event_media'), engine, 'id')
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('event_begin_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('archive_number', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('file_id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('terminal_media_id', 'bigint')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('taken_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('requested_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('stored_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('event_media_by_event').on('event_media').columns(['event_id', 'id']).execute();
  await schema.createIndex('event_media_by_state').on('event_media').columns(['state', 'stored_at_ms', 'id']).execute();
  await schema
    .createIndex('event_media_by_archive')
    .on('event_media')
    .columns(['archive_number', 'requested_at_ms'])
    .execute();
  await schema.createIndex('event_media_by_file').on('event_media').column('file_id').execute();
}

async function createRequests(schema: Schema): Promise<void> {
  await schema
    .createTable('attachment_request')
    .addColumn('alarm_number', 'text', (c) => c.primaryKey())
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('event_begin_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('archive_number', 'bigint', (c) => c.notNull())
    .addColumn('alarm_mark', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('sent_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('attachment_request_by_time').on('attachment_request').columns(['created_at_ms']).execute();
  await schema.createIndex('attachment_request_by_event').on('attachment_request').column('event_id').execute();
}
