// The devices of a member group that firmware can be sent to, with what their terminals last reported about themselves.
import { readGroupParents } from '../devices/groupOwnership.ts';
import type { StoreDb } from '../engine/database.ts';

export interface ReachedDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
  readonly deviceGroup: number;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  /** '' where the terminal has never reported it. */
  readonly manufacturer: string;
  readonly model: string;
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
}

export interface FirmwareReachStore {
  /** Ordered by id; disabled devices are left out. */
  devices(memberGroup: number): Promise<readonly ReachedDevice[]>;
  /** Undefined where the member group doesn't have it, or it is disabled. */
  device(incarnation: number, memberGroup: number): Promise<ReachedDevice | undefined>;
  /** Device groups of the member group. */
  deviceGroups(memberGroup: number): Promise<readonly number[]>;
  /** The parent of each group; undefined at the top. */
  parents(): Promise<ReadonlyMap<number, number | undefined>>;
}

export function createFirmwareReachStore(db: StoreDb, reading: StoreDb): FirmwareReachStore {
  return {
    devices: async (memberGroup) =>
      (await reached(reading, memberGroup).orderBy('device.id_key').execute()).map(toReached),
    device: async (incarnation, memberGroup) => {
      const row = await reached(db, memberGroup).where('device.incarnation', '=', incarnation).executeTakeFirst();
      return row === undefined ? undefined : toReached(row);
    },
    deviceGroups: async (memberGroup) => {
      const owned = reading.selectFrom('member_group_device_group').select('device_group');
      return (await owned.where('member_group', '=', memberGroup).execute()).map((row) => row.device_group);
    },
    parents: () => readGroupParents(reading),
  };
}

function reached(db: StoreDb, memberGroup: number) {
  return db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .leftJoin('terminal_attributes as said', 'said.incarnation', 'device.incarnation')
    .select([
      'device.device_id',
      'device.incarnation',
      'device.archive_number',
      'owns.device_group',
      'device.time_zone',
      'said.manufacturer',
      'said.model',
      'said.hardware_version',
      'said.firmware_version',
    ])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0);
}

type ReachedRow = Awaited<ReturnType<ReturnType<typeof reached>['execute']>>[number];

function toReached(row: ReachedRow): ReachedDevice {
  return {
    deviceId: row.device_id,
    incarnation: row.incarnation,
    archiveNumber: row.archive_number,
    deviceGroup: row.device_group,
    timeZone: row.time_zone,
    manufacturer: row.manufacturer ?? '',
    model: row.model ?? '',
    hardwareVersion: row.hardware_version ?? '',
    firmwareVersion: row.firmware_version ?? '',
  };
}
