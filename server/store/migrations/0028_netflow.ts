import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const netflow: Migration = {
  version: 28,
  name: 'data usage, data plans and SIMs',
  async up(db, engine) {
    await createUse(db);
    await createWithheld(db);
    await createDevices(db);
    await createPlans(db, engine);
  },
};

async function createUse({ schema }: Kysely<unknown>): Promise<void> {
  for (const [table, step] of [
    ['netflow_hour', 'hour_ms'],
    ['netflow_day', 'day'],
  ] as const) {
    await schema
      .createTable(table)
      .addColumn('incarnation', 'bigint', (c) =>
        c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
      )
      .addColumn(step, 'bigint', (c) => c.notNull())
      .addColumn('kind', 'integer', (c) => c.notNull())
      .addColumn('received_bytes', 'bigint', (c) => c.notNull())
      .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['incarnation', step, 'kind'])
      .execute();
    await schema.createIndex(`${table}_by_time`).on(table).column(step).execute();
  }
}

async function createWithheld({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('netflow_withheld')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('is_all', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('netflow_withheld_key', ['incarnation', 'from_ms'])
    .execute();
  await schema.createIndex('netflow_withheld_by_end').on('netflow_withheld').column('to_ms').execute();
}

async function createDevices({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('netflow_device')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('received_bytes', 'bigint', (c) => c.notNull())
    .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
    .addColumn('kinds', 'text', (c) => c.notNull())
    .addColumn('today', 'integer', (c) => c.notNull())
    .addColumn('today_bytes', 'bigint', (c) => c.notNull())
    .addColumn('forecast_bytes', 'bigint', (c) => c.notNull())
    .addColumn('days', 'text', (c) => c.notNull())
    .execute();
}

async function createPlans({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('sim_plan'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('megabytes', 'bigint', (c) => c.notNull())
    .addColumn('reset_day', 'integer', (c) => c.notNull())
    .addColumn('time_zone', 'text', (c) => c.notNull())
    .addColumn('price', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema
    .createTable('device_sim')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('number', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('iccid', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('plan', 'bigint', (c) => c.references('sim_plan.id').onDelete('set null'))
    .addColumn('expiry_day', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('lifted_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('lifted_by', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('told_from_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('told_percent', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('told_forecast', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.createIndex('device_sim_by_plan').on('device_sim').column('plan').execute();
}
