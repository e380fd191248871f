import { type Migration, withSerial } from '../migration.ts';

export const dashboard: Migration = {
  version: 9,
  name: 'online history, beginnings of alarms, camera walls',
  async up({ schema }, engine) {
    // No reference to the group: what is left of one that was removed goes with its age.
    await schema
      .createTable('online_history')
      .addColumn('step_ms', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .addColumn('device_group', 'bigint', (c) => c.notNull())
      .addColumn('online', 'bigint', (c) => c.notNull())
      .addColumn('total', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('online_history_key', ['step_ms', 'at_ms', 'device_group'])
      .execute();
    await withSerial(schema.createTable('alarm_onset'), engine, 'id')
      .addColumn('device_id', 'text', (c) => c.notNull())
      .addColumn('alarm', 'integer', (c) => c.notNull())
      .addColumn('at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('alarm_onset_by_time').on('alarm_onset').columns(['at_ms', 'id']).execute();
    await withSerial(schema.createTable('camera_wall'), engine, 'id')
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('channels', 'text', (c) => c.notNull())
      .addColumn('cycle_seconds', 'integer', (c) => c.notNull())
      .addUniqueConstraint('camera_wall_name', ['user_id', 'name'])
      .execute();
  },
};
