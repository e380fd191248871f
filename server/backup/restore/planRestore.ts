// What a restore would do, said before anybody confirms it. Reads the whole archive, and changes nothing.
import { readAccess } from '../../store/backup/carry/carryAccess.ts';
import { countPositionsSince, countRows, countSince, pickRows } from '../../store/backup/carry/presentRows.ts';
import { NEWEST_SCHEMA, withDatabase } from '../../store/backup/migrateHere.ts';
import { openSnapshot } from '../../store/backup/openSnapshot.ts';
import type { TableShape } from '../../store/backup/snapshot.ts';
import { HISTORY_PARTS, type HistoryPart, isBackedUp, partOf } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation, StoreDb } from '../../store/engine/database.ts';
import { type ArchiveFailure, ArchiveFault, throwIfCanceled, withFailures } from '../archive/faults.ts';
import type { Head } from '../archive/head.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { Manifest } from '../archive/manifest.ts';
import { archiveBytes, openArchive } from '../archive/readArchive.ts';
import type { ArchiveRun } from '../archive/writeArchive.ts';
import { accessSince } from './accessSince.ts';
import { ArchivedRows, accessOf } from './archivedRows.ts';
import { type Compared, compareRows, type NameList, nameList, vanishingRows } from './compareKeys.ts';

export interface PlanTask {
  readonly path: string;
  readonly key: ArchiveKey;
  /** The present one. */
  readonly database: DatabaseLocation;
}

export interface TablePlan {
  readonly name: string;
  readonly part: 'core' | HistoryPart;
  readonly now: number;
  readonly inArchive: number;
  /** By primary key; undefined where rows are only counted. */
  readonly compared: Compared | undefined;
}

export interface RestorePlan {
  readonly ok: true;
  readonly head: Head;
  readonly schema: 'same' | 'older';
  /** The archive comes from the other engine. */
  readonly isOtherEngine: boolean;
  /** History that the archive hasn't got. */
  readonly missingHistory: readonly HistoryPart[];
  readonly files: number;
  readonly tables: readonly TablePlan[];
  readonly vanishing: { readonly devices: NameList; readonly members: NameList };
  readonly since: SinceBackup;
}

/** What has happened since the backup was made. */
export interface SinceBackup {
  readonly disabled: NameList;
  readonly passwordChanged: NameList;
  readonly revokedLinks: number;
  /** With a later time than the archive's, as the next two. */
  readonly events: number;
  readonly positions: number;
  readonly auditRows: number;
}

/** Held of a table, of both sides; larger ones are counted only. */
const MAX_COMPARED = 100_000;

/** Columns of tables whose rows are compared: the primary key first, then what else is told of them. */
const COMPARED: ReadonlyMap<string, ComparedColumns> = new Map<string, ComparedColumns>([
  ['app_user', comparedBy('id', 'username', 'created_at_ms', 'disabled', 'password_hash', 'password_changed_at_ms')],
  ['link_credential', comparedBy('id', 'secret_hash', 'revoked_at_ms')],
  ['device', comparedBy('device_id', 'name')],
  ['device_group', comparedBy('serialno')],
  ['member_group', comparedBy('serialno')],
  ...['role', 'fence', 'event_rule', 'notify_template', 'notify_sender', 'notify_rule', 'report_schedule'].map(
    (table) => [table, comparedBy('id')] as const,
  ),
]);

interface ComparedColumns {
  readonly key: readonly string[];
  readonly others: readonly string[];
}

function comparedBy(key: string, ...others: readonly string[]): ComparedColumns {
  return { key: [key], others };
}

export function planRestore(task: PlanTask, run: ArchiveRun): Promise<RestorePlan | ArchiveFailure> {
  return withFailures(async () => {
    const read = await readThrough(task, run);
    const { tables, schemaVersion } = await presentTables(task.database, run);
    return withDatabase(task.database, run.onFault, async (db): Promise<RestorePlan> => {
      const plans = await tablePlans(db, tables, read);
      return { ok: true, ...factsOf(read, schemaVersion, task.database), ...plans, since: await sinceOf(db, read) };
    });
  });
}

interface Read {
  readonly head: Head;
  readonly manifest: Manifest;
  readonly archived: ArchivedRows;
}

async function readThrough({ path, key }: PlanTask, run: ArchiveRun): Promise<Read> {
  const { head, items, close } = await openArchive(archiveBytes(path), key);
  try {
    if (head.schemaVersion > NEWEST_SCHEMA) {
      throw new ArchiveFault('newer-schema', `schema ${head.schemaVersion}, this program knows ${NEWEST_SCHEMA}`);
    }
    const wanted = new Map([...COMPARED].map(([table, { key: columns, others }]) => [table, [...columns, ...others]]));
    const archived = new ArchivedRows(wanted, MAX_COMPARED);
    for await (const item of items) {
      throwIfCanceled(run.signal);
      // A restore would refuse it after the confirmation.
      if (item.type === 'table' && !isBackedUp(item.table.name, HISTORY_PARTS)) {
        throw new ArchiveFault('unknown-table', item.table.name);
      }
      archived.take(item);
      if (item.type === 'manifest') return { head, manifest: item.manifest, archived };
    }
    throw new ArchiveFault('truncated', 'no manifest');
  } finally {
    await close();
  }
}

async function presentTables(
  database: DatabaseLocation,
  { onFault }: ArchiveRun,
): Promise<{ readonly tables: readonly TableShape[]; readonly schemaVersion: number }> {
  const snapshot = await openSnapshot(database, onFault);
  await snapshot.close();
  return { tables: snapshot.tables, schemaVersion: snapshot.schemaVersion };
}

function factsOf(
  { head, manifest }: Read,
  schemaVersion: number,
  { engine }: DatabaseLocation,
): Pick<RestorePlan, 'head' | 'schema' | 'isOtherEngine' | 'missingHistory' | 'files'> {
  return {
    head,
    schema: head.schemaVersion < schemaVersion ? 'older' : 'same',
    isOtherEngine: head.engine !== engine,
    missingHistory: HISTORY_PARTS.filter((part) => !manifest.history.includes(part)),
    files: manifest.files.files,
  };
}

async function tablePlans(
  db: StoreDb,
  tables: readonly TableShape[],
  read: Read,
): Promise<Pick<RestorePlan, 'tables' | 'vanishing'>> {
  const plans: TablePlan[] = [];
  const vanishing = { devices: nameList([]), members: nameList([]) };
  for (const { name } of tables.filter((table) => isBackedUp(table.name, HISTORY_PARTS))) {
    const rows = await bothRows(db, name, read);
    plans.push({
      name,
      part: partOf(name) as TablePlan['part'],
      now: await countRows(db, name),
      inArchive: read.manifest.tables.find((table) => table.name === name)?.rows ?? 0,
      compared: rows && compareRows(rows.now, rows.then, rows.key),
    });
    const gone = rows === undefined ? [] : vanishingRows(rows.now, rows.then, rows.key);
    if (name === 'device') vanishing.devices = nameList(gone.map((row) => String(row.name || row.device_id)));
    if (name === 'app_user') vanishing.members = nameList(gone.map((row) => String(row.username)));
  }
  return { tables: plans, vanishing };
}

/** Undefined for tables that are only counted. */
async function bothRows(db: StoreDb, table: string, { archived }: Read) {
  const wanted = COMPARED.get(table);
  const then = archived.rowsOf(table);
  // Present links of sessions are in no archive.
  if (wanted === undefined || then === undefined || table === 'link_credential') return undefined;
  const columns = [...wanted.key, ...wanted.others];
  const now = await pickRows(db, { table, columns, max: MAX_COMPARED });
  return now.length > MAX_COMPARED ? undefined : { now, then, key: wanted.key };
}

async function sinceOf(db: StoreDb, { head, archived }: Read): Promise<SinceBackup> {
  const { disabled, passwordChanged, revoked } = accessSince(await readAccess(db), accessOf(archived));
  const atMs = head.createdAtMs;
  return {
    disabled: nameList(disabled.map(({ username }) => username)),
    passwordChanged: nameList(passwordChanged.map(({ username }) => username)),
    revokedLinks: revoked.length,
    events: await countSince(db, 'event', 'begin_at_ms', atMs),
    positions: await countPositionsSince(db, atMs),
    auditRows: await countSince(db, 'audit', 'at_ms', atMs),
  };
}
