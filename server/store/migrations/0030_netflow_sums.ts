import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Engine, Migration } from './migration.ts';

/** Empty at first: devices are added to the sums one after another while the gateway runs, and until then their rows are read. */
export const netflowSums: Migration = {
  version: 30,
  name: 'sums of data usage by device group, and by device and day',
  async up(db, engine) {
    await createPlace(db);
    await createGroupSums(db, engine);
    await createDeviceDays(db, engine);
  },
};

async function createPlace({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('netflow_place')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('device_group', 'bigint', (c) => c.notNull())
    .execute();
}

async function createGroupSums({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const [table, step] of [
    ['netflow_group_hour', 'hour_ms'],
    ['netflow_group_day', 'day'],
  ] as const) {
    const columns = schema
      .createTable(table)
      .addColumn(step, 'bigint', (c) => c.notNull())
      .addColumn('kind', 'integer', (c) => c.notNull())
      .addColumn('device_group', 'bigint', (c) => c.notNull())
      .addColumn('received_bytes', 'bigint', (c) => c.notNull())
      .addColumn('sent_bytes', 'bigint', (c) => c.notNull())
      // What a reader adds up lies together in this order.
      .addPrimaryKeyConstraint(`${table}_key`, [step, 'kind', 'device_group']);
    await inOrderOfKey(columns, engine).execute();
  }
}

async function createDeviceDays({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = schema
    .createTable('netflow_device_day')
    .addColumn('incarnation', 'bigint', (c) => c.notNull())
    .addColumn('day', 'bigint', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('netflow_device_day_key', ['incarnation', 'day']);
  await inOrderOfKey(columns, engine).execute();
  await schema.createIndex('netflow_device_day_by_day').on('netflow_device_day').column('day').execute();
}

/** PostgreSQL has no such tables. */
function inOrderOfKey<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
  engine: Engine,
): CreateTableBuilder<Table, Columns> {
  return engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table;
}
