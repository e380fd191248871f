import { type Kysely, sql } from 'kysely';
import { deviceKeys } from '../../devices/deviceKeys.ts';
import type { Engine, Migration } from '../migration.ts';

export const deviceGroups: Migration = {
  version: 7,
  name: 'tree of device groups, records of devices, refused terminals',
  async up(db, engine) {
    await growGroups(db);
    await growDevices(db, engine);
    await fillKeys(db);
    await growUnknownTerminals(db);
    await db.schema
      .createTable('recording_removal')
      .addColumn('device_id', 'text', (c) => c.primaryKey())
      .addColumn('up_to_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};

async function growGroups({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('device_group')
    .addColumn('parent', 'bigint', (c) => c.references('device_group.serialno').onDelete('set null'))
    .execute();
  await schema
    .alterTable('device_group')
    .addColumn('position', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('device_group')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}

const TEXTS = ['model', 'sim', 'icon', 'notes'];
const KEYS = ['id_key', 'name_key', 'plate_key', 'terminal_key', 'search_key'];

async function growDevices({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  const add = (name: string, type: Parameters<ReturnType<typeof schema.alterTable>['addColumn']>[1], preset: unknown) =>
    schema
      .alterTable('device')
      .addColumn(name, type, (c) => c.notNull().defaultTo(preset))
      .execute();
  for (const name of TEXTS) await add(name, 'text', '');
  await add('channel_names', 'text', '[]');
  await add('version', 'integer', 1);
  await add('changed_at_ms', 'bigint', 0);
  // Both engines are to sort by bytes: the keys are made so that this is the order that people expect.
  for (const name of KEYS) await add(name, engine === 'postgres' ? sql`text collate "C"` : 'text', '');
  for (const key of ['id_key', 'name_key', 'plate_key', 'terminal_key']) {
    await schema.createIndex(`device_by_${key}`).on('device').columns([key, 'device_id']).execute();
  }
}

interface OldDevice {
  device_id: string;
  name: string;
  plate: string;
  terminal_number: string | null;
}

async function fillKeys(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<OldDevice>`select device_id, name, plate, terminal_number from device`.execute(db);
  for (const { device_id, name, plate, terminal_number } of rows) {
    const keys = deviceKeys({ deviceId: device_id, name, plate, terminal: terminal_number ?? '', model: '', sim: '' });
    await sql`update device set id_key = ${keys.id_key}, name_key = ${keys.name_key}, plate_key = ${keys.plate_key},
      terminal_key = ${keys.terminal_key}, search_key = ${keys.search_key} where device_id = ${device_id}`.execute(db);
  }
}

async function growUnknownTerminals({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('unknown_terminal')
    .addColumn('refused_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('unknown_terminal')
    .addColumn('refused_by', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
}
