import { type Kysely, sql } from 'kysely';
import type { Migration } from '../migration.ts';

export const tablesAtSpeed: Migration = {
  version: 11,
  name: 'lists of devices at speed, and the recording of all devices by version',
  async up(db, engine) {
    await db.schema
      .alterTable('recording_policy')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    if (engine === 'postgres') await sortByBytes(db);
    else await coverList(db);
  },
};

/**
 * What is sorted by itself, without a stored key: in the order of bytes, as the embedded database has it. By the rules of
 * a language fifty thousand devices take half a second to sort. Ids stay as they are: other tables' are compared with them.
 */
async function sortByBytes(db: Kysely<unknown>): Promise<void> {
  for (const column of ['edition', 'model']) {
    await sql`alter table device alter column ${sql.ref(column)} type text collate "C"`.execute(db);
  }
  await sql`alter table device_group alter column name type text collate "C"`.execute(db);
}

const LISTED = [
  'device_group',
  'edition',
  'adopted_terminal_id',
  'disabled',
  'id_key',
  'name_key',
  'plate_key',
  'terminal_key',
  'model',
  'chn',
  'created_at_ms',
  'changed_at_ms',
  'search_key',
  'device_id',
];

/**
 * All that a list filters, counts, searches and sorts by, apart from the notes and names of channels that make a row long:
 * the embedded database reads a fifth of the pages. PostgreSQL, whose indexes take no row of this length, has no need of it.
 */
async function coverList({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('device_list').on('device').columns(LISTED).execute();
}
