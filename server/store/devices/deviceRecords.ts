// Devices as administrators keep them: listed, added, changed by version, moved and removed.
import { canonicalTerminalText } from '../../../shared/protocol/deviceRules.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { isConstraintFailure } from '../engine/constraints.ts';
import type { StoreDb } from '../engine/database.ts';
import type { FoundPage } from '../engine/listPage.ts';
import type { RecordingPolicy } from '../recordings/recordingPolicies.ts';
import { type DeviceImport, importDevices } from './deviceImport.ts';
import {
  type DeviceListQuery,
  type DevicePageQuery,
  idsOfDevices,
  inScope,
  pageOfDevices,
  recordRows,
  recordsOf,
} from './deviceList.ts';
import type { DeviceScope } from './devicePage.ts';
import {
  type DeviceRecord,
  type DeviceRecordFields,
  fieldColumns,
  type NewDeviceRecord,
  terminalColumns,
  toRecord,
} from './deviceRecordRows.ts';
import { hasRoom } from './deviceRoom.ts';
import { beginIncarnation, endIncarnation } from './incarnations.ts';

/** A device's own policies; channel 0 stands for all channels without one. */
export type OwnPolicies = readonly { readonly channel: number; readonly policy: RecordingPolicy }[];

export type RecordAnswer =
  | { readonly ok: true; readonly record: DeviceRecord }
  | { readonly ok: false; readonly reason: 'taken'; readonly field: 'deviceid' | 'terminal' }
  | { readonly ok: false; readonly reason: 'gone' }
  /** There are as many devices as there may be. */
  | { readonly ok: false; readonly reason: 'full' }
  /** Somebody else has changed it, or what it refers to, meanwhile. */
  | { readonly ok: false; readonly reason: 'conflict'; readonly current: DeviceRecord | undefined };

export interface DeviceRecordStore {
  find(deviceId: string): Promise<DeviceRecord | undefined>;
  /** In the order of the ids; those that are gone are left out. */
  findMany(deviceIds: readonly string[]): Promise<DeviceRecord[]>;
  /** Undefined when the position is none of such a list. */
  page(query: DevicePageQuery): Promise<FoundPage<DeviceRecord> | undefined>;
  /** All of them, in order. */
  ids(query: DeviceListQuery): Promise<string[]>;
  /** Every device there is, whoever sees it. */
  all(): Promise<DeviceRecord[]>;
  /** `maxDevices`: as many as there may be then; 0 for no limit. */
  insert(device: NewDeviceRecord, own: OwnPolicies, at: WallMs, maxDevices?: number): Promise<RecordAnswer>;
  change(change: DeviceRecordChange, own: OwnPolicies | undefined, at: WallMs): Promise<RecordAnswer>;
  /** Gives the ids of those that were somewhere else, as far as they are in scope. */
  move(deviceIds: readonly string[], group: number, within: { scope: DeviceScope; at: WallMs }): Promise<string[]>;
  /** `recordings`: whether those go too; the recorder deletes them. */
  remove(which: VersionedId, removal: { recordings: boolean; at: WallMs }): Promise<RecordAnswer>;
  /** All or nothing; false when anything is no longer as the import was planned on. `maxDevices` as of `insert`. */
  import(devices: DeviceImport, at: WallMs, maxDevices?: number): Promise<boolean>;
  /** Archives whose recordings are still to be deleted, up to a moment. */
  removals(): Promise<{ readonly archiveId: string; readonly upToMs: number }[]>;
  removalDone(archiveId: string): Promise<void>;
}

interface VersionedId {
  readonly deviceId: string;
  readonly version: number;
}

type DeviceRecordChange = VersionedId & { readonly fields: DeviceRecordFields };

/** `reading`: for what may take long. */
export function createDeviceRecordStore(db: StoreDb, reading: StoreDb): DeviceRecordStore {
  return {
    find: (deviceId) => findRecord(db, deviceId),
    findMany: (deviceIds) => recordsOf(reading, deviceIds),
    page: (query) => pageOfDevices(reading, query),
    ids: (query) => idsOfDevices(reading, query),
    all: async () => (await recordRows(reading).execute()).map((row) => toRecord(row)),
    insert: (device, own, at, maxDevices = 0) =>
      attempt(db, device.deviceId, (work) => insertRecord(work, { device, own, at, maxDevices })),
    change: (change, own, at) => attempt(db, change.deviceId, (work) => changeRecord(work, { ...change, own, at })),
    move: (deviceIds, group, within) => moveDevices(db, { deviceIds, group, ...within }),
    remove: (which, removal) => attempt(db, which.deviceId, (work) => removeRecord(work, { ...which, ...removal })),
    import: (devices, at, maxDevices = 0) => importDevices(db, devices, at, maxDevices),
    removals: async () => {
      const rows = await db.selectFrom('recording_removal').selectAll().execute();
      return rows.map((row) => ({ archiveId: row.archive_id, upToMs: row.up_to_ms }));
    },
    removalDone: async (archiveId) => {
      await db.deleteFrom('recording_removal').where('archive_id', '=', archiveId).execute();
    },
  };
}

async function findRecord(db: StoreDb, deviceId: string): Promise<DeviceRecord | undefined> {
  const row = await recordRows(db).where('device.device_id', '=', deviceId).executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

/** In one transaction. A constraint that fails all the same means that somebody else was quicker. */
async function attempt(
  db: StoreDb,
  deviceId: string,
  run: (work: StoreDb) => Promise<RecordAnswer>,
): Promise<RecordAnswer> {
  try {
    return await db.transaction().execute(run);
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile) && !isConstraintFailure(error)) throw error;
    return { ok: false, reason: 'conflict', current: await findRecord(db, deviceId) };
  }
}

/** Takes back what the transaction did before it found the device changed by another one. */
class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

interface Insertion {
  readonly device: NewDeviceRecord;
  readonly own: OwnPolicies;
  readonly at: WallMs;
  readonly maxDevices: number;
}

async function insertRecord(work: StoreDb, { device, own, at, maxDevices }: Insertion): Promise<RecordAnswer> {
  const { deviceId, identity } = device;
  if ((await findRecord(work, deviceId)) !== undefined) return { ok: false, reason: 'taken', field: 'deviceid' };
  if (await isTerminalTaken(work, deviceId, device.terminal)) return { ok: false, reason: 'taken', field: 'terminal' };
  if (!(await hasRoom(work, 1, maxDevices))) return { ok: false, reason: 'full' };
  const adopted =
    identity === undefined
      ? {}
      : { adopted_manufacturer: identity.manufacturer, adopted_terminal_id: identity.terminalId };
  const columns = { ...fieldColumns(deviceId, device), ...terminalColumns(device.terminal), ...adopted };
  const { incarnation, archiveId, archiveNumber } = await beginIncarnation(work, device);
  const stamps = { created_at_ms: at, changed_at_ms: at };
  const archive = { incarnation, archive_id: archiveId, archive_number: archiveNumber };
  const values = { ...columns, ...stamps, ...archive, device_id: deviceId };
  await work.insertInto('device').values(values).execute();
  await welcomeTerminal(work, device.terminal);
  await putPolicies(work, deviceId, own);
  return found(work, deviceId);
}

type Change = DeviceRecordChange & { readonly own: OwnPolicies | undefined; readonly at: WallMs };

async function changeRecord(work: StoreDb, { deviceId, version, fields, own, at }: Change): Promise<RecordAnswer> {
  const current = await findRecord(work, deviceId);
  if (current === undefined) return { ok: false, reason: 'gone' };
  if (current.version !== version) return { ok: false, reason: 'conflict', current };
  const isSameTerminal = canonicalTerminalText(fields.terminal) === current.terminal;
  if (!isSameTerminal && (await isTerminalTaken(work, deviceId, fields.terminal))) {
    return { ok: false, reason: 'taken', field: 'terminal' };
  }
  const columns = { ...fieldColumns(deviceId, fields), ...(isSameTerminal ? {} : terminalColumns(fields.terminal)) };
  const stamped = { ...columns, version: version + 1, changed_at_ms: at };
  const update = work.updateTable('device').set(stamped).where('device_id', '=', deviceId);
  const { numUpdatedRows } = await update.where('version', '=', version).executeTakeFirst();
  if (numUpdatedRows === 0n) return { ok: false, reason: 'conflict', current: await findRecord(work, deviceId) };
  if (!isSameTerminal) await welcomeTerminal(work, fields.terminal);
  if (own !== undefined) await putPolicies(work, deviceId, own);
  return found(work, deviceId);
}

interface Removal extends VersionedId {
  readonly recordings: boolean;
  readonly at: WallMs;
}

async function removeRecord(work: StoreDb, { deviceId, version, recordings, at }: Removal): Promise<RecordAnswer> {
  const current = await findRecord(work, deviceId);
  if (current === undefined) return { ok: false, reason: 'gone' };
  if (current.version !== version) return { ok: false, reason: 'conflict', current };
  const archiveId = await endIncarnation(work, { deviceId, at, passesOn: !recordings });
  const removal = work.deleteFrom('device').where('device_id', '=', deviceId).where('version', '=', version);
  const { numDeletedRows } = await removal.executeTakeFirst();
  if (numDeletedRows === 0n) throw new ChangedMeanwhile(deviceId);
  await work.deleteFrom('recording_policy').where('device_id', '=', deviceId).execute();
  if (recordings && archiveId !== undefined) {
    const values = { archive_id: archiveId, up_to_ms: at };
    const insert = work.insertInto('recording_removal').values(values);
    await insert.onConflict((conflict) => conflict.column('archive_id').doUpdateSet({ up_to_ms: at })).execute();
  }
  return { ok: true, record: current };
}

async function found(work: StoreDb, deviceId: string): Promise<RecordAnswer> {
  const record = await findRecord(work, deviceId);
  return record === undefined ? { ok: false, reason: 'gone' } : { ok: true, record };
}

async function isTerminalTaken(work: StoreDb, deviceId: string, digits: string): Promise<boolean> {
  if (digits === '') return false;
  const holder = work.selectFrom('device').select('device_id');
  const row = await holder.where('terminal_number', '=', canonicalTerminalText(digits)).executeTakeFirst();
  return row !== undefined && row.device_id !== deviceId;
}

/** A terminal with that number is unknown no more. */
async function welcomeTerminal(work: StoreDb, digits: string): Promise<void> {
  const number = canonicalTerminalText(digits);
  await work.deleteFrom('unknown_terminal').where('terminal_number', '=', number).execute();
}

async function putPolicies(work: StoreDb, deviceId: string, own: OwnPolicies): Promise<void> {
  await work.deleteFrom('recording_policy').where('device_id', '=', deviceId).execute();
  if (own.length === 0) return;
  const rows = own.map(({ channel, policy: { mode, quality, schedule, retentionDays } }) => {
    const values = { mode, quality, schedule: JSON.stringify(schedule), retention_days: retentionDays };
    return { device_id: deviceId, channel, ...values };
  });
  await work.insertInto('recording_policy').values(rows).execute();
}

interface Move {
  readonly deviceIds: readonly string[];
  readonly group: number;
  readonly scope: DeviceScope;
  readonly at: WallMs;
}

async function moveDevices(db: StoreDb, { deviceIds, group, scope, at }: Move): Promise<string[]> {
  if (deviceIds.length === 0) return [];
  const rows = await db
    .updateTable('device')
    .set((is) => ({ device_group: group, version: is('version', '+', 1), changed_at_ms: at }))
    .where('device_id', 'in', deviceIds)
    .where((is) => inScope(is, scope))
    .where((is) => is.or([is('device_group', 'is', null), is('device_group', '<>', group)]))
    .returning('device_id')
    .execute();
  return rows.map((row) => row.device_id);
}
