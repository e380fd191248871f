// The device groups and devices of a member group, which its fences can name.
import type { StoreDb } from '../engine/database.ts';

export interface FenceDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly name: string;
  readonly plate: string;
}

export interface FenceReachStore {
  deviceGroups(memberGroup: number): Promise<number[]>;
  /** Devices of the member group that are not disabled, ordered by id. `ids` left out: all of them. */
  devices(memberGroup: number, ids?: readonly string[]): Promise<FenceDevice[]>;
}

export function createFenceReachStore(reading: StoreDb): FenceReachStore {
  return {
    deviceGroups: async (memberGroup) => {
      const owned = reading.selectFrom('member_group_device_group').select('device_group');
      return (await owned.where('member_group', '=', memberGroup).execute()).map((row) => row.device_group);
    },
    devices: async (memberGroup, ids) => {
      if (ids?.length === 0) return [];
      const all = reading
        .selectFrom('device')
        .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
        .select(['device.device_id', 'device.incarnation', 'device.name', 'device.plate'])
        .where('owns.member_group', '=', memberGroup)
        .where('device.disabled', '=', 0)
        .orderBy('device.id_key');
      const rows = await (ids === undefined ? all : all.where('device.device_id', 'in', ids)).execute();
      return rows.map((row) => ({
        deviceId: row.device_id,
        incarnation: row.incarnation,
        name: row.name,
        plate: row.plate,
      }));
    },
  };
}
