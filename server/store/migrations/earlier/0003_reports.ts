import { type Migration, withSerial } from '../migration.ts';

export const reports: Migration = {
  version: 3,
  name: 'positions and unknown terminals',
  async up(db, engine) {
    const { schema } = db;
    await withSerial(schema.createTable('position'), engine, 'id')
      .addColumn('device_id', 'text', (c) => c.notNull().references('device.device_id').onDelete('cascade'))
      .addColumn('device_time_ms', 'bigint', (c) => c.notNull())
      .addColumn('received_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('latitude', 'double precision', (c) => c.notNull())
      .addColumn('longitude', 'double precision', (c) => c.notNull())
      .addColumn('altitude_m', 'double precision', (c) => c.notNull())
      .addColumn('speed_kmh', 'double precision', (c) => c.notNull())
      .addColumn('heading_deg', 'double precision', (c) => c.notNull())
      .addColumn('alarm_bits', 'bigint', (c) => c.notNull())
      .addColumn('status_bits', 'bigint', (c) => c.notNull())
      .addColumn('extra', 'text', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('position_by_device')
      .on('position')
      .columns(['device_id', 'device_time_ms', 'id'])
      .execute();
    await schema
      .createTable('unknown_terminal')
      .addColumn('terminal_number', 'text', (c) => c.primaryKey())
      .addColumn('terminal_number_raw', 'text', (c) => c.notNull())
      .addColumn('edition', 'text', (c) => c.notNull())
      .addColumn('manufacturer', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('terminal_id', 'text', (c) => c.notNull())
      .addColumn('plate', 'text', (c) => c.notNull())
      .addColumn('plate_colour', 'integer', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('device_id', 'text', (c) => c.references('device.device_id').onDelete('cascade'))
      .addColumn('first_seen_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .execute();
    await schema.createIndex('unknown_terminal_by_time').on('unknown_terminal').column('last_seen_at_ms').execute();
  },
};
