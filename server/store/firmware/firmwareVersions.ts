import type { FirmwareVersions } from '../../../shared/protocol/api/firmware/images.ts';
import type { StoreDb } from '../engine/database.ts';

export interface FirmwareVersionStore {
  /** How many devices of the member group that aren't disabled have which version; '' where a terminal has said nothing. */
  versions(memberGroup: number): Promise<FirmwareVersions>;
}

export function createFirmwareVersionStore(reading: StoreDb): FirmwareVersionStore {
  return {
    versions: async (memberGroup) => {
      const rows = await reading
        .selectFrom('device')
        .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
        .leftJoin('terminal_attributes as said', 'said.incarnation', 'device.incarnation')
        .select(({ fn }) => [
          'said.manufacturer',
          'said.model',
          'said.firmware_version',
          fn.countAll<number>().as('devices'),
        ])
        .where('owns.member_group', '=', memberGroup)
        .where('device.disabled', '=', 0)
        .groupBy(['said.manufacturer', 'said.model', 'said.firmware_version'])
        .orderBy('said.manufacturer')
        .orderBy('said.model')
        .orderBy('said.firmware_version')
        .execute();
      return rows.map((row) => ({
        manufacturer: row.manufacturer ?? '',
        model: row.model ?? '',
        firmwareVersion: row.firmware_version ?? '',
        devices: Number(row.devices),
      }));
    },
  };
}
