// Determines what a restore would do, before anybody confirms it. Reads the whole archive, and changes nothing.
import { readAccess } from '../../store/backup/carry/carryAccess.ts';
import { countPositionsSince, countRows, countSince } from '../../store/backup/carry/presentRows.ts';
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
import type { Compared } from './compareKeys.ts';
import { type NameList, nameList } from './nameList.ts';
import { TableComparison } from './tableComparison.ts';

export interface PlanTask {
  readonly path: string;
  readonly key: ArchiveKey;
  /** The present database. */
  readonly database: DatabaseLocation;
}

export interface TablePlan {
  readonly name: string;
  readonly part: 'core' | HistoryPart;
  readonly now: number;
  readonly inArchive: number;
  /** Comparison by primary key; undefined where rows are only counted. */
  readonly compared: Compared | undefined;
}

export interface RestorePlan {
  readonly ok: true;
  readonly head: Head;
  readonly schema: 'same' | 'older';
  /** Whether the archive comes from the other engine. */
  readonly isOtherEngine: boolean;
  /** History that the archive doesn't have. */
  readonly missingHistory: readonly HistoryPart[];
  readonly files: number;
  readonly tables: readonly TablePlan[];
  readonly vanishing: { readonly devices: NameList; readonly members: NameList };
  readonly since: SinceBackup;
}

/** What has happened since the backup was made. */
interface SinceBackup {
  readonly disabled: NameList;
  readonly passwordChanged: NameList;
  readonly revokedLinks: NameList;
  /** Events with a later time than the archive's; the same for positions and audit rows below. */
  readonly events: number;
  readonly positions: number;
  readonly auditRows: number;
}

/** Maximum of rows held per table. */
const MAX_HELD_ROWS = 100_000;

/** Columns of the archive's accounts and links, which say who has access. */
const ACCESS_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['app_user', ['id', 'username', 'created_at_ms', 'disabled', 'password_hash', 'password_changed_at_ms']],
  ['link_credential', ['id', 'secret_hash', 'revoked_at_ms']],
]);

export function planRestore(task: PlanTask, run: ArchiveRun): Promise<RestorePlan | ArchiveFailure> {
  return withFailures(async () => {
    const read = await readThrough(task, run);
    const { tables, schemaVersion } = await presentTables(task.database, run);
    return withDatabase(task.database, run.onFault, async (db): Promise<RestorePlan> => {
      const { comparison } = read;
      return {
        ok: true,
        ...factsOf(read, schemaVersion, task.database),
        tables: await tablePlans(db, tables, read),
        vanishing: { devices: comparison.removedOf('device'), members: comparison.removedOf('app_user') },
        since: await sinceOf(db, read),
      };
    });
  });
}

interface Read {
  readonly head: Head;
  readonly manifest: Manifest;
  readonly access: ArchivedRows;
  readonly comparison: TableComparison;
}

async function readThrough({ path, key, database }: PlanTask, run: ArchiveRun): Promise<Read> {
  const { head, items, close } = await openArchive(archiveBytes(path), key);
  const isEncrypted = head.encryption.kind !== 'none';
  const comparison = new TableComparison({ database, isEncrypted, onFault: run.onFault });
  try {
    if (head.schemaVersion > NEWEST_SCHEMA) {
      throw new ArchiveFault('newer-schema', `schema ${head.schemaVersion}, this program knows ${NEWEST_SCHEMA}`);
    }
    const access = new ArchivedRows(ACCESS_COLUMNS, MAX_HELD_ROWS);
    for await (const item of items) {
      throwIfCanceled(run.signal);
      // A restore would only refuse it after the confirmation.
      if (item.type === 'table' && !isBackedUp(item.table.name, HISTORY_PARTS)) {
        throw new ArchiveFault('unknown-table', item.table.name);
      }
      access.take(item);
      await comparison.take(item);
      if (item.type === 'manifest') return { head, manifest: item.manifest, access, comparison };
    }
    throw new ArchiveFault('truncated', 'no manifest');
  } finally {
    await comparison.close();
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
  { manifest, comparison }: Read,
): Promise<TablePlan[]> {
  const plans: TablePlan[] = [];
  for (const { name } of tables.filter((table) => isBackedUp(table.name, HISTORY_PARTS))) {
    const compared = comparison.of(name);
    plans.push({
      name,
      part: partOf(name) as TablePlan['part'],
      // Only comparable rows count: links of sessions, for example, are in no backup.
      now: compared === undefined ? await countRows(db, name) : compared.kept + compared.removed,
      inArchive: manifest.tables.find((table) => table.name === name)?.rows ?? 0,
      compared,
    });
  }
  return plans;
}

async function sinceOf(db: StoreDb, { head, access }: Read): Promise<SinceBackup> {
  const { disabled, passwordChanged, revoked } = accessSince(await readAccess(db), accessOf(access));
  const atMs = head.createdAtMs;
  return {
    disabled: nameList(disabled.map(({ username }) => username)),
    passwordChanged: nameList(passwordChanged.map(({ username }) => username)),
    revokedLinks: nameList(revoked.map(({ label }) => label)),
    events: await countSince(db, 'event', 'begin_at_ms', atMs),
    positions: await countPositionsSince(db, atMs),
    auditRows: await countSince(db, 'audit', 'at_ms', atMs),
  };
}
