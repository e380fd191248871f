// The only module that knows the `device_group` table.
import type { StoreDb } from '../engine/database.ts';

interface DeviceGroup {
  readonly serialno: number;
  readonly name: string;
}

export interface DeviceGroupStore {
  list(): Promise<DeviceGroup[]>;
  /** Gives the new group's number. */
  insert(name: string): Promise<number>;
  rename(serialno: number, name: string): Promise<boolean>;
  /** Its devices stay, in no group. */
  remove(serialno: number): Promise<boolean>;
}

export function createDeviceGroupStore(db: StoreDb): DeviceGroupStore {
  return {
    list: () => db.selectFrom('device_group').select(['serialno', 'name']).orderBy('serialno').execute(),
    insert: async (name) => {
      const row = await db.insertInto('device_group').values({ name }).returning('serialno').executeTakeFirstOrThrow();
      return row.serialno;
    },
    rename: async (serialno, name) => {
      const result = await db
        .updateTable('device_group')
        .set({ name })
        .where('serialno', '=', serialno)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    remove: async (serialno) => {
      const result = await db.deleteFrom('device_group').where('serialno', '=', serialno).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
