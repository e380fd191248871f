import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from '../migration.ts';

export const recording: Migration = {
  version: 6,
  name: 'segments, recorded ranges, recording policies and evidence',
  async up(db, engine) {
    await createSegments(db, engine);
    await createPolicies(db);
    await createEvidence(db, engine);
    await db.schema
      .alterTable('device')
      .addColumn('time_zone', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};

// Recordings outlive the device's record: no reference to it.
async function createSegments({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('segment'), engine, 'id')
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('quality', 'text', (c) => c.notNull())
    .addColumn('start_ms', 'bigint', (c) => c.notNull())
    .addColumn('end_ms', 'bigint', (c) => c.notNull())
    .addColumn('device_start_ms', 'bigint', (c) => c.notNull())
    .addColumn('device_end_ms', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('group_count', 'integer', (c) => c.notNull())
    .addUniqueConstraint('segment_name', ['device_id', 'channel', 'start_ms'])
    .execute();
  await schema.createIndex('segment_by_start').on('segment').columns(['start_ms', 'id']).execute();
  await schema
    .createTable('recorded_range')
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('recorded_range_key', ['device_id', 'channel', 'from_ms'])
    .execute();
}

async function createPolicies({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('recording_policy')
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('quality', 'text', (c) => c.notNull())
    .addColumn('schedule', 'text', (c) => c.notNull())
    .addColumn('retention_days', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('recording_policy_key', ['device_id', 'channel'])
    .execute();
}

async function createEvidence({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('evidence_hold'), engine, 'id')
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('channel', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('held_by', 'text', (c) => c.notNull())
    .addColumn('held_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('released_by', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('released_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('evidence_hold_by_device').on('evidence_hold').columns(['device_id', 'from_ms']).execute();
}
