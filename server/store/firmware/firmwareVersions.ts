// The firmware that the devices of a member group run, as their terminals last reported.
import { sql } from 'kysely';
import type { FirmwareVersions, INSTALLED_DEVICE_SORTS } from '../../../shared/protocol/api/firmware/images.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberKey, type PageRequest, textColumn } from '../engine/listPage.ts';

/** Each text is '' where terminals have reported nothing. */
interface InstalledVersion {
  readonly manufacturer: string;
  readonly model: string;
  readonly firmwareVersion: string;
}

interface InstalledDeviceQuery extends PageRequest<(typeof INSTALLED_DEVICE_SORTS)[number]> {
  readonly memberGroup: number;
  readonly version: InstalledVersion;
  readonly search: string;
}

interface StoredInstalledDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
  readonly hardwareVersion: string;
  /** 0: never. */
  readonly reportedAtMs: number;
}

export interface FirmwareVersionStore {
  /** How many devices of the member group have which version; disabled devices don't count. */
  versions(memberGroup: number): Promise<FirmwareVersions>;
  /** Devices with one version. */
  devices(query: InstalledDeviceQuery): Promise<FoundPage<StoredInstalledDevice> | undefined>;
}

const MANUFACTURER = sql<string>`coalesce(said.manufacturer, '')`;
const MODEL = sql<string>`coalesce(said.model, '')`;
const VERSION = sql<string>`coalesce(said.firmware_version, '')`;
const REPORTED_AT = sql<number>`coalesce(said.reported_at_ms, 0)`;
const ORDER = { name: textColumn('device.name_key'), reportedAtMs: numberKey(REPORTED_AT) } as const;

export function createFirmwareVersionStore(reading: StoreDb): FirmwareVersionStore {
  return {
    versions: async (memberGroup) => {
      const rows = await own(reading, memberGroup)
        .select(({ fn }) => [
          MANUFACTURER.as('manufacturer'),
          MODEL.as('model'),
          VERSION.as('firmwareVersion'),
          fn.countAll<number>().as('devices'),
        ])
        .groupBy([MANUFACTURER, MODEL, VERSION])
        .orderBy(MANUFACTURER)
        .orderBy(MODEL)
        .orderBy(VERSION)
        .execute();
      return rows.map((row) => ({ ...row, devices: Number(row.devices) }));
    },
    devices: (query) => pageOfDevices(reading, query),
  };
}

function own(db: StoreDb, memberGroup: number) {
  return db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .leftJoin('terminal_attributes as said', 'said.incarnation', 'device.incarnation')
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0);
}

async function pageOfDevices(db: StoreDb, { memberGroup, version, search, ...request }: InstalledDeviceQuery) {
  const all = own(db, memberGroup)
    .select(['device.device_id', 'device.name', 'device.plate', 'said.hardware_version', 'said.reported_at_ms'])
    .where(MANUFACTURER, '=', version.manufacturer)
    .where(MODEL, '=', version.model)
    .where(VERSION, '=', version.firmwareVersion);
  const found = searchIn(['device.device_id', 'device.name', 'device.plate'], search);
  const rows = found === undefined ? all : all.where(found);
  const page = await listPage(db, { rows, keys: [ORDER[request.sort], textColumn('device.device_id')] }, request);
  return mapRows(page, (row) => ({
    deviceId: row.device_id,
    name: row.name,
    plate: row.plate,
    hardwareVersion: row.hardware_version ?? '',
    reportedAtMs: row.reported_at_ms ?? 0,
  }));
}
