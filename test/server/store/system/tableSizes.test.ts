import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { createTableSizeStore, type TableSize } from '../../../../server/store/system/tableSizes.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const ROWS = 20_000;
const BYTES_A_ROW = 100;

const sizeIn = (sizes: readonly TableSize[], table: string): TableSize => {
  const found = sizes.find((size) => size.table === table);
  if (found === undefined) throw new Error(`no table ${table}`);
  return found;
};

describeOnBothEngines('rows and bytes by table', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    await fillSettings(database.db);
    if (engine === 'postgres') await sql`analyze`.execute(database.db);
  });
  afterAll(() => database.close());

  it('are those of every table, by name, and of nothing else', async () => {
    const introspected = await database.db.introspection.getTables();
    // On PostgreSQL partitions, beside the one that is there from the start.
    await createStores(database.db).eventMonths.addMonths(Date.now(), 2);
    const tables = (await createTableSizeStore(database.reading).read()).map(({ table }) => table);
    const names = introspected.filter(({ isView }) => !isView).map(({ name }) => name);
    expect(tables).toEqual(names.filter((name) => !name.startsWith('sqlite_') && name !== 'event_other').toSorted());
    expect(tables.length).toBeGreaterThan(50);
  });

  it('of a table are near what it has', async () => {
    const { rows, bytes } = sizeIn(await createTableSizeStore(database.reading).read(), 'setting');
    expect(rows).toBeGreaterThan(ROWS * 0.8);
    expect(rows).toBeLessThan(ROWS * 1.2);
    expect(bytes).toBeGreaterThan(ROWS * BYTES_A_ROW);
    expect(bytes).toBeLessThan(ROWS * BYTES_A_ROW * 3);
  });

  it('are those of an empty table too', async () => {
    const { rows, bytes } = sizeIn(await createTableSizeStore(database.reading).read(), 'missing_translation');
    expect(rows).toBe(0);
    expect(bytes).toBeLessThan(100_000);
  });
});

/** Names in an order of their own, as keys that are no numbers have them. */
async function fillSettings(db: StoreDb): Promise<void> {
  for (let first = 0; first < ROWS; first += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      name: `${((first + at) * 7_919) % ROWS}`,
      value: 'x'.repeat(BYTES_A_ROW),
    }));
    await db.insertInto('setting').values(rows).execute();
  }
}

describe('of the embedded database', () => {
  it('are counted where all pages are read, and close to that where few are', async () => {
    const database = await openTestDatabase('sqlite');
    try {
      await fillSettings(database.db);
      const counted = sizeIn(await createTableSizeStore(database.reading, 1_000_000).read(), 'setting');
      expect(counted.rows).toBe(ROWS);
      const { rows, bytes } = sizeIn(await createTableSizeStore(database.reading, 20).read(), 'setting');
      expect((rows ?? 0) / ROWS).toBeCloseTo(1, 0);
      expect((bytes ?? 0) / (counted.bytes ?? 0)).toBeCloseTo(1, 0);
    } finally {
      await database.close();
    }
  });

  it('have both entries of tables without row ids', async () => {
    const database = await openTestDatabase('sqlite');
    try {
      await sql`create table keyed (a integer, b text, primary key (a)) without rowid`.execute(database.db);
      await sql`with recursive n(v) as (select 1 union all select v + 1 from n where v < 5000)
        insert into keyed select v, printf('%0100d', v) from n`.execute(database.db);
      expect(sizeIn(await createTableSizeStore(database.reading).read(), 'keyed').rows).toBe(5_000);
    } finally {
      await database.close();
    }
  });
});
