import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const reportJobs: Migration = {
  version: 26,
  name: 'reports and their schedules',
  async up(db, engine) {
    await createSchedules(db, engine);
    await createJobs(db, engine);
  },
};

async function createJobs({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('report_job'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('parameters', 'text', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('schedule', 'bigint', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('progress', 'double precision', (c) => c.notNull().defaultTo(0))
    .addColumn('row_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('is_cut', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('fault', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('file', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('finished_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('report_job_by_user').on('report_job').columns(['user_id', 'member_group', 'id']).execute();
  await schema.createIndex('report_job_by_state').on('report_job').columns(['state', 'id']).execute();
  await schema.createIndex('report_job_by_expiry').on('report_job').column('expires_at_ms').execute();
}

async function createSchedules({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('report_schedule'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('pause_reason', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('last_run_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_job', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_delivery', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('next_run_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema
    .createIndex('report_schedule_by_user')
    .on('report_schedule')
    .columns(['user_id', 'member_group'])
    .execute();
  await schema
    .createIndex('report_schedule_by_run')
    .on('report_schedule')
    .columns(['enabled', 'next_run_at_ms'])
    .execute();
}
