// The only module that knows the `setting` table: names and their values as text.
import type { StoreDb } from '../engine/database.ts';

interface VersionedSettings {
  readonly stored: ReadonlyMap<string, string>;
  /** Version of the settings that administrators edit together. */
  readonly version: number;
}

export interface SettingStore {
  get(name: string): Promise<string | undefined>;
  getAll(): Promise<ReadonlyMap<string, string>>;
  getVersioned(): Promise<VersionedSettings>;
  set(name: string, value: string): Promise<void>;
  /** Sets the value unless there is one, and gives the valid one: two gateways that start at once agree on it. */
  setOnce(name: string, value: string): Promise<string>;
  /** False, with nothing changed, when the value is no longer `before`. */
  replace(name: string, before: string, value: string): Promise<boolean>;
  /**
   * Sets the values that administrators edit together, and removes those that are null. `version`: the version that the change is based on.
   * False, with nothing changed, when the stored version is another one.
   */
  change(version: number, values: ReadonlyMap<string, string | null>): Promise<boolean>;
}

/** Counts the changes of all settings that are edited together: one form shows them, and a conflict is visible whatever both have changed. */
const VERSION_NAME = 'settings_version';
const FIRST_VERSION = 1;

export function createSettingStore(db: StoreDb): SettingStore {
  async function get(name: string): Promise<string | undefined> {
    const row = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }
  async function getAll(): Promise<ReadonlyMap<string, string>> {
    const rows = await db.selectFrom('setting').selectAll().execute();
    return new Map(rows.map((row) => [row.name, row.value]));
  }
  return {
    get,
    getAll,
    getVersioned: async () => {
      const stored = await getAll();
      return { stored, version: Number(stored.get(VERSION_NAME) ?? FIRST_VERSION) };
    },
    set: (name, value) => put(db, name, value),
    setOnce: async (name, value) => {
      const insert = db.insertInto('setting').values({ name, value });
      await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute();
      return (await get(name)) ?? value;
    },
    replace: async (name, before, value) => {
      const replaced = db.updateTable('setting').set({ value }).where('name', '=', name).where('value', '=', before);
      return (await replaced.executeTakeFirst()).numUpdatedRows > 0n;
    },
    change: (version, values) =>
      db.transaction().execute(async (transaction) => {
        if (!(await takeVersion(transaction, version))) return false;
        for (const [name, value] of values) {
          if (value === null) await transaction.deleteFrom('setting').where('name', '=', name).execute();
          else await put(transaction, name, value);
        }
        return true;
      }),
  };
}

async function put(db: StoreDb, name: string, value: string): Promise<void> {
  const insert = db.insertInto('setting').values({ name, value });
  await insert.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).execute();
}

/** Takes the next version. The second of two changes based on the same version waits here for the first, and then finds another version. */
async function takeVersion(db: StoreDb, version: number): Promise<boolean> {
  const first = db.insertInto('setting').values({ name: VERSION_NAME, value: String(FIRST_VERSION) });
  await first.onConflict((conflict) => conflict.column('name').doNothing()).execute();
  const next = db.updateTable('setting').set({ value: String(version + 1) });
  const taken = next.where('name', '=', VERSION_NAME).where('value', '=', String(version));
  return (await taken.executeTakeFirst()).numUpdatedRows > 0n;
}
