import { type Migration, withSerial } from './migration.ts';

export const backups: Migration = {
  version: 33,
  name: 'backups that were made, and how their tests went',
  async up({ schema }, engine) {
    await withSerial(schema.createTable('backup'), engine, 'id')
      .addColumn('file', 'text', (c) => c.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('ended_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('is_manual', 'integer', (c) => c.notNull())
      .addColumn('is_uploaded', 'integer', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('fault', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('detail', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('row_count', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('sha256', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('product_version', 'text', (c) => c.notNull())
      .addColumn('schema_version', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('engine', 'text', (c) => c.notNull())
      .addColumn('encryption', 'text', (c) => c.notNull())
      .addColumn('sealed_key', 'text', (c) => c.notNull())
      .addColumn('history', 'text', (c) => c.notNull())
      .addColumn('files', 'text', (c) => c.notNull())
      .addColumn('test_state', 'text', (c) => c.notNull().defaultTo('none'))
      .addColumn('tested_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('test_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('test_fault', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('copy_state', 'text', (c) => c.notNull().defaultTo('none'))
      .addColumn('copy_fault', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await schema.createIndex('backup_by_time').on('backup').columns(['created_at_ms', 'id']).execute();
  },
};
