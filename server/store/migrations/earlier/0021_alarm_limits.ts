import type { Migration } from '../migration.ts';

export const alarmLimits: Migration = {
  version: 21,
  name: 'alarm limits of terminals',
  async up({ schema }) {
    await schema
      .createTable('device_alarm_limit')
      .addColumn('device_id', 'text', (c) => c.primaryKey().references('device.device_id').onDelete('cascade'))
      .addColumn('incarnation', 'bigint', (c) => c.notNull())
      .addColumn('wanted', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('written_by', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('written_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('reported', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('reported_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    // A start reads those that have to be asked for.
    await schema.createIndex('device_alarm_limit_by_state').on('device_alarm_limit').column('state').execute();
  },
};
