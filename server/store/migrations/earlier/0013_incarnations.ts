import { type Kysely, sql } from 'kysely';
import { type Engine, type Migration, withSerial } from '../migration.ts';

export const incarnations: Migration = {
  version: 13,
  name: 'devices told apart from earlier ones with the same id',
  async up(db, engine) {
    await createIncarnations(db, engine);
    await numberDevices(db);
    await renewPositions(db, engine);
    await renewOnsets(db);
    await nameArchives(db);
  },
};

async function createIncarnations({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('device_incarnation'), engine, 'incarnation')
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('archive_id', 'text', (c) => c.notNull())
    .addColumn('ended_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('passes_on', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('incarnation_by_device').on('device_incarnation').column('device_id').execute();
  await schema.createIndex('incarnation_by_archive').on('device_incarnation').column('archive_id').execute();
  await schema
    .createIndex('incarnation_by_end')
    .on('device_incarnation')
    .columns(['ended_at_ms', 'incarnation'])
    .execute();
  // No reference to the member group: its number is never given to another one, and deleting a group stays one small statement.
  await schema
    .createTable('former_owner')
    .addColumn('incarnation', 'bigint', (c) =>
      c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
    )
    .addColumn('member_group', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('former_owner_key', ['incarnation', 'member_group'])
    .execute();
}

/** Devices that are there keep what lies under their id: their archive has its name. */
async function numberDevices(db: Kysely<unknown>): Promise<void> {
  const device = () => db.schema.alterTable('device');
  await device()
    .addColumn('incarnation', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await device()
    .addColumn('archive_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await sql`insert into device_incarnation (device_id, archive_id)
    select device_id, device_id from device order by device_id`.execute(db);
  await sql`update device set archive_id = device_id,
    incarnation = (select i.incarnation from device_incarnation as i where i.device_id = device.device_id)`.execute(db);
  await db.schema.createIndex('device_by_incarnation').on('device').column('incarnation').unique().execute();
  await db.schema.createIndex('device_by_archive').on('device').column('archive_id').execute();
}

const REPORTED = sql.raw(`device_time_ms, received_at_ms, latitude, longitude, altitude_m, speed_kmh, heading_deg,
  alarm_bits, status_bits, extra`);

/**
 * Positions refer to the incarnation and no longer to the device, so that deleting a device touches none of them. The embedded
 * database cannot drop a reference from a table: the rows are copied, some seconds for a million.
 */
async function renewPositions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema.alterTable('position').renameTo('position_before').execute();
  await withSerial(db.schema.createTable('position'), engine, 'id')
    .addColumn('incarnation', 'bigint', (c) => c.notNull().references('device_incarnation.incarnation'))
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
  await sql`insert into position (incarnation, ${REPORTED})
    select device.incarnation, ${REPORTED} from position_before
    join device on device.device_id = position_before.device_id order by position_before.id`.execute(db);
  await db.schema.dropTable('position_before').execute();
  await db.schema
    .createIndex('position_by_device')
    .on('position')
    .columns(['incarnation', 'device_time_ms', 'id'])
    .execute();
}

async function renewOnsets(db: Kysely<unknown>): Promise<void> {
  const onset = () => db.schema.alterTable('alarm_onset');
  await onset()
    .addColumn('incarnation', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update alarm_onset set incarnation = coalesce(
    (select device.incarnation from device where device.device_id = alarm_onset.device_id), 0)`.execute(db);
  await onset().dropColumn('device_id').execute();
}

/** What was recorded lies under the name of an archive; the archives of devices that are there have the name of the device. */
async function nameArchives(db: Kysely<unknown>): Promise<void> {
  for (const table of ['segment', 'recorded_range', 'recording_removal']) {
    await db.schema.alterTable(table).renameColumn('device_id', 'archive_id').execute();
  }
  await db.schema
    .alterTable('evidence_hold')
    .addColumn('archive_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await sql`update evidence_hold set archive_id = device_id`.execute(db);
  await db.schema.createIndex('evidence_hold_by_archive').on('evidence_hold').column('archive_id').execute();
}
