import { type Kysely, sql } from 'kysely';
import type { Engine, Migration } from '../migration.ts';

export const ordersAtSpeed: Migration = {
  version: 12,
  name: 'lists of devices at speed in every order',
  async up(db, engine) {
    for (const key of STORED_KEYS) await db.schema.dropIndex(`device_by_${key}`).execute();
    for (const key of [...STORED_KEYS, ...COLUMNS]) await indexOrder(db, engine, key, sql.ref(key));
    // A list in the order of groups first reads how many devices each group has.
    await db.schema.dropIndex('device_by_group').execute();
    await indexOrder(db, engine, 'device_group', sql.ref('device_group'));
    await indexOrder(db, engine, 'shown_edition', sql`coalesce(edition, '')`);
  },
};

const STORED_KEYS = ['id_key', 'name_key', 'plate_key', 'terminal_key'];
const COLUMNS = ['model', 'chn', 'disabled', 'created_at_ms', 'changed_at_ms'];
/** The columns of a list's filters, apart from words. */
const FILTERED = ['device_group', 'edition', 'adopted_terminal_id', 'disabled'];

/**
 * A late page of a long list is found by walking an index: ten milliseconds for half of fifty thousand devices, where sorting them took a
 * hundred. With the filtered columns in the index, the devices themselves are not read.
 */
async function indexOrder(
  db: Kysely<unknown>,
  engine: Engine,
  name: string,
  key: ReturnType<typeof sql>,
): Promise<void> {
  const order = [key, ...['id_key', 'device_id'].filter((column) => column !== name).map((column) => sql.ref(column))];
  const filtered = FILTERED.filter((column) => column !== name).map((column) => sql.ref(column));
  const index = sql.ref(`device_by_${name}`);
  if (engine === 'postgres') {
    await sql`create index ${index} on device (${sql.join(order)}) include (${sql.join(filtered)})`.execute(db);
  } else {
    await sql`create index ${index} on device (${sql.join([...order, ...filtered])})`.execute(db);
  }
}
