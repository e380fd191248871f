// The devices that a report covers.
import type { StoreDb } from '../store/engine/database.ts';

export interface ReportDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly incarnation: number;
  readonly archiveId: string;
  readonly archiveNumber: number;
  readonly deviceGroup: number;
  readonly groupName: string;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  /** Numbers of the channels that have a camera. */
  readonly channels: readonly number[];
  readonly createdAtMs: number;
}

export interface ChosenDevices {
  /** Serial numbers of groups, which include their subgroups. With `devices` empty too: all devices of the member group. */
  readonly deviceGroups: readonly number[];
  readonly devices: readonly string[];
}

/** The chosen devices of the member group that are not disabled, ordered by name. */
export async function reportDevices(
  db: StoreDb,
  memberGroup: number,
  { deviceGroups, devices }: ChosenDevices,
): Promise<ReportDevice[]> {
  const [rows, groups] = await Promise.all([
    deviceRows(db, memberGroup),
    db.selectFrom('device_group').select(['serialno', 'parent']).execute(),
  ]);
  const chosenGroups = withGroupsInside(groups, deviceGroups);
  const chosenDevices = new Set(devices);
  const takesAll = deviceGroups.length === 0 && devices.length === 0;
  return rows
    .filter((row) => takesAll || chosenDevices.has(row.device_id) || chosenGroups.has(row.serialno))
    .map((row) => ({
      deviceId: row.device_id,
      name: row.name,
      incarnation: row.incarnation,
      archiveId: row.archive_id,
      archiveNumber: row.archive_number,
      deviceGroup: row.serialno,
      groupName: row.group_name,
      timeZone: row.time_zone,
      channels: channelsOf(row),
      createdAtMs: row.created_at_ms,
    }));
}

function deviceRows(db: StoreDb, memberGroup: number) {
  return db
    .selectFrom('device')
    .innerJoin('device_group as in_group', 'in_group.serialno', 'device.device_group')
    .innerJoin('member_group_device_group as owned', 'owned.device_group', 'device.device_group')
    .select(['device.device_id', 'device.name', 'device.incarnation', 'device.archive_id', 'device.archive_number'])
    .select(['device.time_zone', 'device.chn', 'device.installchs', 'device.created_at_ms'])
    .select(['in_group.serialno', 'in_group.name as group_name'])
    .where('owned.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0)
    .orderBy('device.name_key')
    .orderBy('device.device_id')
    .execute();
}

/** The groups and all their subgroups. Pure. */
function withGroupsInside(
  groups: readonly { readonly serialno: number; readonly parent: number | null }[],
  chosen: readonly number[],
): ReadonlySet<number> {
  const inside = new Map<number, number[]>();
  for (const { serialno, parent } of groups) {
    if (parent !== null) inside.set(parent, [...(inside.get(parent) ?? []), serialno]);
  }
  const found = new Set<number>();
  const open = [...chosen];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (found.has(group)) continue;
    found.add(group);
    open.push(...(inside.get(group) ?? []));
  }
  return found;
}

function channelsOf({ chn, installchs }: { readonly chn: number; readonly installchs: string }): number[] {
  const numbers = Array.from({ length: chn }, (_, at) => at + 1);
  return numbers.filter((channel) => installchs === '' || installchs[channel - 1] === '1');
}
