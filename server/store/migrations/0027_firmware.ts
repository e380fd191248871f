import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const firmware: Migration = {
  version: 27,
  name: 'what terminals say of themselves, uploads and firmware',
  async up(db, engine) {
    await createAttributes(db);
    await createUploads(db);
    await createImages(db, engine);
    await createTasks(db, engine);
    await createDevices(db, engine);
  },
};

async function createAttributes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('terminal_attributes')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('manufacturer', 'text', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('terminal_id', 'text', (c) => c.notNull())
    .addColumn('iccid', 'text', (c) => c.notNull())
    .addColumn('hardware_version', 'text', (c) => c.notNull())
    .addColumn('firmware_version', 'text', (c) => c.notNull())
    .addColumn('reported_at_ms', 'bigint', (c) => c.notNull())
    .execute();
}

async function createUploads({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('upload')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('upload_by_expiry').on('upload').column('expires_at_ms').execute();
}

async function createImages({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('firmware_image'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('firmware_version', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('added_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('added_by', 'text', (c) => c.notNull())
    .addColumn('removed_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.createIndex('firmware_image_by_hash').on('firmware_image').column('sha256').execute();
  await schema
    .createIndex('firmware_image_by_group')
    .on('firmware_image')
    .columns(['member_group', 'name_key', 'id'])
    .execute();
  await withSerial(schema.createTable('firmware_model'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('pattern', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .addUniqueConstraint('firmware_model_pattern', ['member_group', 'pattern'])
    .execute();
}

async function createTasks({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('firmware_task'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('image', 'bigint', (c) => c.notNull().references('firmware_image.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('stage', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_stage_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('edited_by', 'text', (c) => c.notNull())
    .addColumn('approved_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('approved_by', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('started_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('ended_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.createIndex('firmware_task_by_group').on('firmware_task').columns(['member_group', 'id']).execute();
  await schema.createIndex('firmware_task_by_state').on('firmware_task').columns(['state', 'id']).execute();
  await schema.createIndex('firmware_task_by_image').on('firmware_task').column('image').execute();
}

async function createDevices({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('firmware_device'), engine, 'id')
    .addColumn('task', 'bigint', (c) => c.notNull().references('firmware_task.id').onDelete('cascade'))
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('stage', 'integer', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('wait', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('fault', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('method', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('model', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('version_before', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('version_after', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('deadline_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('firmware_device_once', ['task', 'incarnation'])
    .execute();
  await schema
    .createIndex('firmware_device_by_incarnation')
    .on('firmware_device')
    .columns(['incarnation', 'id'])
    .execute();
  await schema.createIndex('firmware_device_by_stage').on('firmware_device').columns(['task', 'stage', 'id']).execute();
  await withSerial(schema.createTable('firmware_step'), engine, 'id')
    .addColumn('device', 'bigint', (c) => c.notNull().references('firmware_device.id').onDelete('cascade'))
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('wait', 'text', (c) => c.notNull())
    .addColumn('fault', 'text', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('firmware_step_by_device').on('firmware_step').columns(['device', 'id']).execute();
}
