// What the fleet's screens read of devices, groups and positions at once: whole lists, in one statement each.
import { sql } from 'kysely';
import { knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import { deviceOwners } from '../devices/groupOwnership.ts';
import type { StoreDb } from '../engine/database.ts';
import { newestRow } from './newestPosition.ts';

export interface FleetRecord {
  readonly deviceId: string;
  readonly incarnation: number;
  /** What its events lie under. */
  readonly archiveNumber: number;
  readonly name: string;
  readonly plate: string;
  readonly terminalNumber: string;
  readonly deviceGroup: number;
  readonly groupName: string;
  readonly chn: number;
  readonly installchs: string;
  readonly wasSeen: boolean;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
}

export interface DeviceArchive {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
  readonly deviceGroup: number | undefined;
}

interface OwnedDevice {
  readonly deviceId: string;
  readonly archiveNumber: number;
  readonly memberGroup: number;
}

interface StoredReport {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly deviceTimeMs: number;
  readonly receivedAtMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | undefined;
  readonly headingDeg: number | undefined;
  /** Hex of the item that says which cameras are lost; undefined when it had none. */
  readonly videoLostHex: string | undefined;
}

export interface FleetStore {
  /** Every device that is in a group and not disabled. */
  devices(): Promise<FleetRecord[]>;
  /** Every device, and the number that its events lie under. */
  archives(): Promise<DeviceArchive[]>;
  /** Devices of member groups, disabled ones too, and for which member group what they take counts. */
  owned(): Promise<OwnedDevice[]>;
  /** The newest position of each device. What it dates later than its clock stands now, by the gateway's, is of a clock that was ahead. */
  lastReports(nowMs: number): Promise<StoredReport[]>;
  /** How many devices there are, in groups or not. */
  countAll(): Promise<number>;
  /** Which device groups a member group owns. */
  deviceGroupsOf(memberGroup: number): Promise<number[]>;
}

/** Item 0x15 of a position, as `extra` names it. */
const VIDEO_LOST_ITEM = String(0x15);

export function createFleetStore(db: StoreDb): FleetStore {
  return {
    devices: () => listDevices(db),
    archives: async () => {
      const columns = ['device_id', 'incarnation', 'archive_number', 'device_group'] as const;
      const rows = await db.selectFrom('device').select(columns).execute();
      return rows.map((row) => ({
        deviceId: row.device_id,
        incarnation: row.incarnation,
        archiveNumber: row.archive_number,
        deviceGroup: row.device_group ?? undefined,
      }));
    },
    owned: async () => {
      const rows = await deviceOwners(db).execute();
      return rows.map((row) => ({
        deviceId: row.device_id,
        archiveNumber: row.archive_number,
        memberGroup: row.owner,
      }));
    },
    lastReports: (nowMs) => lastReports(db, nowMs),
    countAll: async () => {
      const row = await db
        .selectFrom('device')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    deviceGroupsOf: async (memberGroup) => {
      const owned = db.selectFrom('member_group_device_group').select('device_group');
      const rows = await owned.where('member_group', '=', memberGroup).execute();
      return rows.map((row) => row.device_group);
    },
  };
}

async function listDevices(db: StoreDb): Promise<FleetRecord[]> {
  const rows = await db
    .selectFrom('device')
    .innerJoin('device_group as in_group', 'in_group.serialno', 'device.device_group')
    .select(['device.device_id', 'device.name', 'device.plate', 'device.terminal_number', 'device.chn'])
    .select(['device.time_zone', 'device.installchs'])
    .select([
      'device.incarnation',
      'device.archive_number',
      'device.auth_code_hash',
      'device.sign_in_address',
      'in_group.serialno as group',
      'in_group.name as group_name',
    ])
    .where('device.disabled', '=', 0)
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    incarnation: row.incarnation,
    archiveNumber: row.archive_number,
    name: row.name,
    plate: row.plate,
    terminalNumber: row.terminal_number ?? '',
    deviceGroup: row.group,
    groupName: row.group_name,
    chn: row.chn,
    installchs: row.installchs,
    timeZone: row.time_zone,
    // An approval takes the code away, and an older program noted no address.
    wasSeen: row.auth_code_hash !== null || row.sign_in_address !== '',
  }));
}

/** Some looks into indices for each device; a table of ten million positions is never walked. */
async function lastReports(db: StoreDb, nowMs: number): Promise<StoredReport[]> {
  const newest = newestRow(sql.ref('device.incarnation'), nowMs);
  const rows = await db
    .selectFrom('device')
    .innerJoin('position', (join) => join.on('position.id', '=', newest))
    .selectAll('position')
    .select('device.device_id')
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    incarnation: row.incarnation,
    deviceTimeMs: row.device_time_ms,
    receivedAtMs: row.received_at_ms,
    latitude: row.latitude,
    longitude: row.longitude,
    speedKmh: knownValue('speedKmh', row.speed_kmh),
    headingDeg: knownValue('headingDeg', row.heading_deg),
    videoLostHex: textOf((JSON.parse(row.extra) as Record<string, unknown>)[VIDEO_LOST_ITEM]),
  }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
