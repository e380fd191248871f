// The only module that writes `device_incarnation` and `former_owner`: every device that was added, told apart from others
// with the same id, and who owned those that are gone. All of it runs inside the transaction that adds or deletes the device.
import type { WallMs } from '../../../shared/protocol/time.ts';
import { newArchiveId } from '../../archiveId.ts';
import type { StoreDb } from '../engine/database.ts';

export interface AddedDevice {
  readonly deviceId: string;
  readonly deviceGroup: number | undefined;
  /** Left out: that of a former device of the same owners, or else a new one. */
  readonly archiveId?: string | undefined;
}

type Archive = Pick<Incarnation, 'archiveId' | 'archiveNumber'>;

export interface Incarnation {
  /** Never given twice. */
  readonly incarnation: number;
  readonly archiveId: string;
  /** What events lie under: the same as long as the archive passes on. */
  readonly archiveNumber: number;
}

/** SQLite takes 32,766 parameters a statement. */
const ROWS_PER_STATEMENT = 500;

/** Numbers devices that are about to be added. Gives the columns of each, by device id. */
export async function beginIncarnations(
  work: StoreDb,
  devices: readonly AddedDevice[],
): Promise<ReadonlyMap<string, Incarnation>> {
  const begun = new Map<string, Incarnation>();
  for (let start = 0; start < devices.length; start += ROWS_PER_STATEMENT) {
    const part = devices.slice(start, start + ROWS_PER_STATEMENT);
    const inherited = await inheritArchives(work, part);
    const rows = part.map(({ deviceId, archiveId }) => ({
      device_id: deviceId,
      archive_id: archiveId ?? inherited.get(deviceId)?.archiveId ?? newArchiveId(deviceId),
      archive_number: inherited.get(deviceId)?.archiveNumber ?? 0,
    }));
    const insert = work.insertInto('device_incarnation').values(rows);
    const columns = ['incarnation', 'device_id', 'archive_id', 'archive_number'] as const;
    for (const row of await insert.returning(columns).execute()) {
      const { incarnation, archive_number: inheritedNumber } = row;
      const archiveNumber = inheritedNumber === 0 ? incarnation : inheritedNumber;
      begun.set(row.device_id, { incarnation, archiveId: row.archive_id, archiveNumber });
    }
    const own = work.updateTable('device_incarnation').set((is) => ({ archive_number: is.ref('incarnation') }));
    await own.where('archive_number', '=', 0).execute();
  }
  return begun;
}

/** The columns of one device that is about to be added. */
export async function beginIncarnation(work: StoreDb, device: AddedDevice): Promise<Incarnation> {
  const begun = (await beginIncarnations(work, [device])).get(device.deviceId);
  if (begun === undefined) throw new Error(`no incarnation of ${device.deviceId} was begun`);
  return begun;
}

export interface EndedDevice {
  readonly deviceId: string;
  readonly at: WallMs;
  /** Whether a later device of the same owners has its recordings. */
  readonly passesOn: boolean;
}

/** Notes, before its row is deleted, who owned a device. Gives its archive; undefined when there is no such device. */
export async function endIncarnation(
  work: StoreDb,
  { deviceId, at, passesOn }: EndedDevice,
): Promise<string | undefined> {
  const columns = ['incarnation', 'archive_id', 'device_group'] as const;
  const row = await work.selectFrom('device').select(columns).where('device_id', '=', deviceId).executeTakeFirst();
  if (row === undefined) return undefined;
  const { incarnation } = row;
  // 0 would say that it is still there.
  const end = { ended_at_ms: Math.max(1, at), passes_on: passesOn ? 1 : 0 };
  await work.updateTable('device_incarnation').set(end).where('incarnation', '=', incarnation).execute();
  const owners = row.device_group === null ? [] : await ownersOf(work, [row.device_group]);
  const rows = owners.map(({ memberGroup }) => ({ incarnation, member_group: memberGroup }));
  if (rows.length > 0) await work.insertInto('former_owner').values(rows).execute();
  return row.archive_id;
}

/**
 * The archives that devices take over from former ones with their ids. All member groups that own the new device must have
 * owned the former one: otherwise somebody could see what was never theirs by adding the id to a group that two of them share.
 */
async function inheritArchives(work: StoreDb, devices: readonly AddedDevice[]): Promise<ReadonlyMap<string, Archive>> {
  const inherited = new Map<string, Archive>();
  const ids = devices.filter(({ archiveId }) => archiveId === undefined).map(({ deviceId }) => deviceId);
  const former = ids.length === 0 ? [] : await formerDevices(work, ids);
  if (former.length === 0) return inherited;
  const groups = devices.flatMap(({ deviceGroup }) => (deviceGroup === undefined ? [] : [deviceGroup]));
  const owners = await ownersOf(work, groups);
  const groupOf = new Map(devices.map(({ deviceId, deviceGroup }) => [deviceId, deviceGroup]));
  for (const { incarnation, deviceId, archiveId, archiveNumber } of former) {
    const group = groupOf.get(deviceId);
    const isOf = owners.filter(({ deviceGroup }) => deviceGroup === group).map(({ memberGroup }) => memberGroup);
    if (isOf.length === 0 || inherited.has(deviceId)) continue;
    const owned = work.selectFrom('former_owner').select('member_group').where('incarnation', '=', incarnation);
    const were = new Set((await owned.execute()).map((row) => row.member_group));
    if (!isOf.every((owner) => were.has(owner))) continue;
    inherited.set(deviceId, { archiveId, archiveNumber });
    // Whoever owned it before sees it with the device from now on, or not at all.
    const passed = work.updateTable('device_incarnation').set({ archive_id: '', passes_on: 0 });
    await passed.where('archive_id', '=', archiveId).where('ended_at_ms', '>', 0).execute();
  }
  return inherited;
}

/** The latest first. */
async function formerDevices(work: StoreDb, deviceIds: readonly string[]) {
  const ended = work
    .selectFrom('device_incarnation')
    .select(['incarnation', 'device_id as deviceId', 'archive_id as archiveId', 'archive_number as archiveNumber'])
    .where('device_id', 'in', deviceIds)
    .where('passes_on', '=', 1);
  return ended.orderBy('incarnation', 'desc').execute();
}

async function ownersOf(work: StoreDb, deviceGroups: readonly number[]) {
  if (deviceGroups.length === 0) return [];
  return work
    .selectFrom('member_group_device_group')
    .select(['device_group as deviceGroup', 'member_group as memberGroup'])
    .where('device_group', 'in', [...new Set(deviceGroups)])
    .execute();
}
