import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from './migration.ts';

export const tracks: Migration = {
  version: 24,
  name: 'packed positions, presence, trips and drivers',
  async up(db, engine) {
    await addToPositions(db);
    await createBlocks(db, engine);
    await createPresence(db, engine);
    await createClocks(db);
    await createTrips(db, engine);
    await createDays(db);
    await createStates(db);
    await createDrivers(db, engine);
  },
};

/** What reports and charts read of a position, so that they need not read its items. Rows from before have it in the items alone. */
async function addToPositions({ schema }: Kysely<unknown>): Promise<void> {
  const position = () => schema.alterTable('position');
  await position()
    .addColumn('late', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  for (const column of ['mileage_km', 'fuel_liters', 'cabin_celsius'])
    await position().addColumn(column, 'double precision').execute();
  await position().addColumn('signal', 'integer').execute();
}

async function createBlocks({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('position_block'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) => c.notNull().references('device_incarnation.incarnation'))
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('received_to_ms', 'bigint', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('south', 'double precision', (c) => c.notNull())
    .addColumn('west', 'double precision', (c) => c.notNull())
    .addColumn('north', 'double precision', (c) => c.notNull())
    .addColumn('east', 'double precision', (c) => c.notNull())
    .addColumn('data', engine === 'sqlite' ? 'blob' : 'bytea', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('position_block_by_device')
    .on('position_block')
    .columns(['incarnation', 'to_ms', 'from_ms'])
    .execute();
}

async function createPresence({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('presence_session'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) => c.notNull().references('device_incarnation.incarnation'))
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('seen_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('reason', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createIndex('presence_session_by_device')
    .on('presence_session')
    .columns(['incarnation', 'from_ms'])
    .execute();
  await schema.createIndex('presence_session_open').on('presence_session').columns(['to_ms', 'from_ms']).execute();
}

async function createClocks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('device_clock')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('device_from_ms', 'bigint', (c) => c.notNull())
    .addColumn('offset_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('device_clock_key', ['incarnation', 'device_from_ms'])
    .execute();
}

async function createTrips({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('trip'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('driver', 'text', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('clock_offset_ms', 'bigint', (c) => c.notNull())
    .addColumn('is_open', 'integer', (c) => c.notNull())
    .addColumn('from_latitude', 'double precision', (c) => c.notNull())
    .addColumn('from_longitude', 'double precision', (c) => c.notNull())
    .addColumn('to_latitude', 'double precision', (c) => c.notNull())
    .addColumn('to_longitude', 'double precision', (c) => c.notNull())
    .addColumn('metres', 'bigint', (c) => c.notNull())
    .addColumn('is_odometer', 'integer', (c) => c.notNull())
    .addColumn('moving_ms', 'bigint', (c) => c.notNull())
    .addColumn('idle_ms', 'bigint', (c) => c.notNull())
    .addColumn('max_speed_kmh', 'double precision', (c) => c.notNull())
    .addColumn('mean_speed_kmh', 'double precision', (c) => c.notNull())
    .addColumn('odometer_from_km', 'double precision')
    .addColumn('odometer_to_km', 'double precision')
    .addColumn('fuel_liters', 'double precision')
    .execute();
  await schema.createIndex('trip_by_device').on('trip').columns(['incarnation', 'from_ms']).unique().execute();
  await withSerial(schema.createTable('stop'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('clock_offset_ms', 'bigint', (c) => c.notNull())
    .addColumn('is_open', 'integer', (c) => c.notNull())
    .addColumn('latitude', 'double precision', (c) => c.notNull())
    .addColumn('longitude', 'double precision', (c) => c.notNull())
    .addColumn('idle_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('stop_by_device').on('stop').columns(['incarnation', 'from_ms']).unique().execute();
  await schema
    .createTable('track_gap')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('track_gap_key', ['incarnation', 'from_ms'])
    .execute();
}

async function createDays({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('track_day')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('local_day', 'integer', (c) => c.notNull())
    .addColumn('metres', 'bigint', (c) => c.notNull())
    .addColumn('is_odometer', 'integer', (c) => c.notNull())
    .addColumn('moving_ms', 'bigint', (c) => c.notNull())
    .addColumn('idle_ms', 'bigint', (c) => c.notNull())
    .addColumn('ignition_ms', 'bigint', (c) => c.notNull())
    .addColumn('stops', 'integer', (c) => c.notNull())
    .addColumn('max_speed_kmh', 'double precision', (c) => c.notNull())
    .addColumn('points', 'integer', (c) => c.notNull())
    .addColumn('begin_ms', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('track_day_key', ['incarnation', 'local_day'])
    .execute();
  await schema.createIndex('track_day_by_day').on('track_day').columns(['local_day', 'incarnation']).execute();
}

/** Where the track of a device is, and what of it has to be worked out again. */
async function createStates({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('track_state')
    .addColumn('incarnation', 'bigint', (c) =>
      c.primaryKey().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('state', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('track_dirty')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('local_day', 'integer', (c) => c.notNull())
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('track_dirty_key', ['incarnation', 'local_day'])
    .execute();
}

async function createDrivers({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('driver_session'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('licence', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('valid_until', 'text', (c) => c.notNull())
    .addColumn('in_ms', 'bigint', (c) => c.notNull())
    .addColumn('out_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('read_result', 'integer', (c) => c.notNull())
    .execute();
  await schema.createIndex('driver_session_by_device').on('driver_session').columns(['incarnation', 'in_ms']).execute();
  await withSerial(schema.createTable('passenger_count'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('from_ms', 'bigint', (c) => c.notNull())
    .addColumn('to_ms', 'bigint', (c) => c.notNull())
    .addColumn('boarded', 'integer', (c) => c.notNull())
    .addColumn('alighted', 'integer', (c) => c.notNull())
    .execute();
  // A terminal repeats what it did not hear was kept.
  await schema
    .createIndex('passenger_count_by_device')
    .on('passenger_count')
    .columns(['incarnation', 'from_ms', 'to_ms'])
    .unique()
    .execute();
}
