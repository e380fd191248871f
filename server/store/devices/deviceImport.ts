// An import as one transaction: everything that was shown, or nothing.
import { canonicalTerminalText } from '../../../shared/protocol/deviceRules.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { isConstraintFailure } from '../engine/constraints.ts';
import type { StoreDb } from '../engine/database.ts';
import { type DeviceRecordFields, fieldColumns, type NewDeviceRecord, terminalColumns } from './deviceRecordRows.ts';
import { hasRoom } from './deviceRoom.ts';
import { beginIncarnations, type Incarnation } from './incarnations.ts';

export interface ChangedDevice {
  readonly deviceId: string;
  /** The one that the change was planned on. */
  readonly version: number;
  readonly fields: DeviceRecordFields;
  readonly hasNewTerminal: boolean;
}

export interface DeviceImport {
  readonly added: readonly NewDeviceRecord[];
  readonly changed: readonly ChangedDevice[];
}

/** About thirty columns a row; SQLite takes 32,766 parameters a statement. */
const ROWS_A_STATEMENT = 500;

export async function importDevices(
  db: StoreDb,
  devices: DeviceImport,
  at: WallMs,
  maxDevices: number,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (work) => {
      if (!(await hasRoom(work, devices.added.length, maxDevices))) throw new ChangedMeanwhile('devices');
      await run(work, devices, at);
    });
    return true;
  } catch (error) {
    if (error instanceof ChangedMeanwhile || isConstraintFailure(error)) return false;
    throw error;
  }
}

class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

async function run(work: StoreDb, { added, changed }: DeviceImport, at: WallMs): Promise<void> {
  const renumbered = changed.filter(({ hasNewTerminal }) => hasNewTerminal);
  // Two devices may change their terminals with one another.
  for (const { deviceId } of renumbered) {
    await work.updateTable('device').set(terminalColumns('')).where('device_id', '=', deviceId).execute();
  }
  for (const { deviceId, version, fields, hasNewTerminal } of changed) {
    const terminal = hasNewTerminal ? terminalColumns(fields.terminal) : {};
    const columns = { ...fieldColumns(deviceId, fields), ...terminal, version: version + 1, changed_at_ms: at };
    const update = work.updateTable('device').set(columns).where('device_id', '=', deviceId);
    const { numUpdatedRows } = await update.where('version', '=', version).executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ChangedMeanwhile(deviceId);
  }
  const begun = await beginIncarnations(work, added);
  const rows = added.map((device) => ({
    ...fieldColumns(device.deviceId, device),
    ...terminalColumns(device.terminal),
    ...incarnationColumns(begun, device.deviceId),
    device_id: device.deviceId,
    created_at_ms: at,
    changed_at_ms: at,
  }));
  await inParts(rows, (part) => work.insertInto('device').values(part).execute());
  const numbers = [...added, ...renumbered.map(({ fields }) => fields)].map(({ terminal }) => terminal);
  const known = numbers.filter((terminal) => terminal !== '').map(canonicalTerminalText);
  await inParts(known, (part) => work.deleteFrom('unknown_terminal').where('terminal_number', 'in', part).execute());
}

function incarnationColumns(begun: ReadonlyMap<string, Incarnation>, deviceId: string) {
  const found = begun.get(deviceId);
  if (found === undefined) throw new Error(`no incarnation of ${deviceId} was begun`);
  return { incarnation: found.incarnation, archive_id: found.archiveId, archive_number: found.archiveNumber };
}

async function inParts<T>(items: readonly T[], execute: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += ROWS_A_STATEMENT) await execute(items.slice(at, at + ROWS_A_STATEMENT));
}
