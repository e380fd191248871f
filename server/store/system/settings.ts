// The only module that knows the `setting` table: names and their values as text.
import type { StoreDb } from '../engine/database.ts';

export interface SettingStore {
  get(name: string): Promise<string | undefined>;
  getAll(): Promise<ReadonlyMap<string, string>>;
  set(name: string, value: string): Promise<void>;
  /** Sets the value unless there is one, and gives the one that holds: two gateways that start at once agree on it. */
  setOnce(name: string, value: string): Promise<string>;
}

export function createSettingStore(db: StoreDb): SettingStore {
  async function get(name: string): Promise<string | undefined> {
    const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }
  return {
    get,
    getAll: async () => {
      const rows = await db.selectFrom('setting').selectAll().execute();
      return new Map(rows.map((row) => [row.name, row.value]));
    },
    set: async (name, value) => {
      const insert = db.insertInto('setting').values({ name, value });
      await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute();
    },
    setOnce: async (name, value) => {
      const insert = db.insertInto('setting').values({ name, value });
      await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
      return (await get(name)) ?? value;
    },
  };
}
