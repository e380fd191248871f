import { sql } from 'kysely';
import { type Migration, withSerial } from '../migration.ts';

export const eventRules: Migration = {
  version: 20,
  name: 'rules of events',
  async up(db, engine) {
    await withSerial(db.schema.createTable('event_rule'), engine, 'id')
      .addColumn('type', 'text', (c) => c.notNull().references('event_type.code').onDelete('cascade'))
      // At most one of the two columns is set; neither stands for the installation.
      .addColumn('device_group', 'bigint', (c) => c.references('device_group.serialno').onDelete('cascade'))
      .addColumn('device_id', 'text', (c) => c.references('device.device_id').onDelete('cascade'))
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await sql`create unique index event_rule_by_scope
      on event_rule (type, coalesce(device_group, 0), coalesce(device_id, ''))`.execute(db);
    for (const column of ['device_group', 'device_id']) {
      await db.schema.createIndex(`event_rule_by_${column}`).on('event_rule').column(column).execute();
    }
  },
};
