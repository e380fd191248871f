import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const fences: Migration = {
  version: 25,
  name: 'fences, where devices are to them, and what terminals have of them',
  async up(db, engine) {
    await createFences(db, engine);
    await createStates(db);
    await createVisits(db, engine);
    await createTerminalAreas(db);
  },
};

async function createFences({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  // The number is the area's number in terminals too, so it is never given twice.
  await withSerial(schema.createTable('fence'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('vertices', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_by', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.createIndex('fence_by_member_group').on('fence').columns(['member_group', 'name_key']).execute();
}

async function createStates({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('fence_state')
    .addColumn('fence', 'bigint', (c) => c.notNull().references('fence.id').onDelete('cascade'))
    .addColumn('incarnation', 'bigint', (c) => c.notNull().references('device_incarnation.incarnation'))
    .addColumn('is_inside', 'integer', (c) => c.notNull())
    .addColumn('since_ms', 'bigint', (c) => c.notNull())
    .addColumn('device_since_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('fence_state_key', ['fence', 'incarnation'])
    .execute();
  await schema.createIndex('fence_state_by_device').on('fence_state').column('incarnation').execute();
}

/** They outlast their fence: what was visited stays visited. */
async function createVisits({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('fence_visit'), engine, 'id')
    .addColumn('fence', 'bigint', (c) => c.notNull())
    .addColumn('fence_name', 'text', (c) => c.notNull())
    .addColumn('member_group', 'bigint', (c) => c.notNull())
    .addColumn('incarnation', 'bigint', (c) => c.notNull().references('device_incarnation.incarnation'))
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('clock_offset_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('fence_visit_by_device').on('fence_visit').columns(['incarnation', 'from_ms']).execute();
  await schema.createIndex('fence_visit_by_fence').on('fence_visit').columns(['fence', 'from_ms']).execute();
}

async function createTerminalAreas({ schema }: Kysely<unknown>): Promise<void> {
  // No reference to the fence: what a terminal still has of one that was deleted has to be removed from it.
  await schema
    .createTable('terminal_area')
    .addColumn('fence', 'bigint', (c) => c.notNull())
    .addColumn('device_id', 'text', (c) => c.notNull().references('device.device_id').onDelete('cascade'))
    .addColumn('incarnation', 'bigint', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('wanted', 'integer', (c) => c.notNull())
    .addColumn('fence_version', 'integer', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('order_id', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('terminal_area_key', ['fence', 'device_id'])
    .execute();
  await schema.createIndex('terminal_area_by_device').on('terminal_area').column('device_id').execute();
}
