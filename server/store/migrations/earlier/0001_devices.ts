import { type Migration, withSerial } from '../migration.ts';

export const devices: Migration = {
  version: 1,
  name: 'settings, groups and devices',
  async up(db, engine) {
    const { schema } = db;
    await schema
      .createTable('setting')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    await withSerial(schema.createTable('device_group'), engine, 'serialno')
      .addColumn('name', 'text', (c) => c.notNull())
      .execute();
    await withSerial(schema.createTable('member_group'), engine, 'serialno')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('retention_days', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('member_group_device_group')
      .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
      .addColumn('device_group', 'bigint', (c) => c.notNull().references('device_group.serialno').onDelete('cascade'))
      .addPrimaryKeyConstraint('member_group_device_group_key', ['member_group', 'device_group'])
      .execute();
    await schema
      .createTable('device')
      .addColumn('device_id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('plate', 'text', (c) => c.notNull())
      .addColumn('terminal_number', 'text', (c) => c.unique())
      .addColumn('terminal_number_raw', 'text')
      .addColumn('edition', 'text')
      .addColumn('adopted_manufacturer', 'text')
      .addColumn('adopted_terminal_id', 'text')
      .addColumn('auth_code_hash', 'text')
      .addColumn('chn', 'integer', (c) => c.notNull())
      .addColumn('installchs', 'text', (c) => c.notNull())
      .addColumn('device_group', 'bigint', (c) => c.references('device_group.serialno').onDelete('set null'))
      .addColumn('disabled', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('any_media_address', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('device_by_group').on('device').column('device_group').execute();
  },
};
