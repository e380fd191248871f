// The devices that notification rules cover: every device with its group, the parents of groups, and their owners.
import { readGroupOwners, readGroupParents } from '../devices/groupOwnership.ts';
import type { StoreDb } from '../engine/database.ts';

export interface NotifyDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly archiveNumber: number;
  readonly deviceGroup: number | undefined;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
}

export interface NotifyPlaces {
  /** Devices whose events are shown: disabled ones are left out. */
  readonly devices: readonly NotifyDevice[];
  /** The parent of each group; undefined at the top. */
  readonly parents: ReadonlyMap<number, number | undefined>;
  /** Member groups by the device groups that they own. */
  readonly owners: ReadonlyMap<number, ReadonlySet<number>>;
}

export interface NotifyPlaceStore {
  places(): Promise<NotifyPlaces>;
}

export function createNotifyPlaceStore(db: StoreDb): NotifyPlaceStore {
  return {
    places: async () => {
      const [devices, parents, owners] = await Promise.all([
        listDevices(db),
        readGroupParents(db),
        readGroupOwners(db),
      ]);
      return { devices, parents, owners };
    },
  };
}

async function listDevices(db: StoreDb): Promise<NotifyDevice[]> {
  const rows = await db
    .selectFrom('device')
    .select(['device_id', 'name', 'archive_number', 'device_group', 'time_zone'])
    .where('disabled', '=', 0)
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    name: row.name,
    archiveNumber: row.archive_number,
    deviceGroup: row.device_group ?? undefined,
    timeZone: row.time_zone,
  }));
}
