// `npm run admin -- backup FILE`, `restore FILE` and `verify FILE`: the same as on the page, for when there is no page.
import { existsSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { BACKUP_FILES } from '../../shared/protocol/backup/backupWords.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { ArchiveFailure } from '../backup/archive/faults.ts';
import type { KeptFree } from '../backup/archive/keptFree.ts';
import type { ArchiveKey } from '../backup/archive/keys.ts';
import { readRecoveryKey } from '../backup/archive/recoveryKey.ts';
import { MAX_LOG_BYTES } from '../backup/archive/writeArchive.ts';
import { sourceFilesOf } from '../backup/files/sourceFiles.ts';
import { liveGateways } from '../backup/restore/liveGateways.ts';
import type { Installation } from '../backup/restore/restoration.ts';
import { type Restored, type RestoreFailure, restoreInstallation } from '../backup/restore/restoreInstallation.ts';
import type { BackupThreads } from '../backup/thread/backupThread.ts';
import type { AuditEntry } from '../store/audit/auditEntry.ts';
import { NEWEST_SCHEMA } from '../store/backup/migrateHere.ts';
import { openSnapshot } from '../store/backup/openSnapshot.ts';
import { HISTORY_PARTS } from '../store/backup/tableParts.ts';
import { type OpenDatabase, openDatabase } from '../store/engine/database.ts';
import { createStores, type Stores } from '../store/stores.ts';
import type { AdminResult } from './admin.ts';
import type { BackupCommand, RestoreCommand } from './backupCommand.ts';
import { keptLines, planLines } from './restoreTexts.ts';

export interface BackupCommandDeps extends Installation {
  readonly threads: BackupThreads;
  /** Makes a backup among the installation's backups and gives its path; undefined: that failed. */
  readonly backUpPresent: (stores: Stores) => Promise<string | undefined>;
  readonly keptFree: KeptFree;
  readonly productVersion: string;
  readonly now: () => number;
  readonly backupPassphrase: string | undefined;
  readonly backupRecoveryKey: string | undefined;
}

interface KeyedFile {
  readonly path: string;
  readonly key: ArchiveKey;
}

const RUN = { signal: new AbortController().signal, onProgress: () => undefined };

export async function runBackupCommand(command: BackupCommand, deps: BackupCommandDeps): Promise<AdminResult> {
  const key = keyFor(deps);
  if (key === undefined) return failed('BACKUP_RECOVERY_KEY is mistyped.');
  const path = resolve(command.file);
  switch (command.kind) {
    case 'backup':
      return backup(path, key, deps);
    case 'verify':
      return verify(path, key, deps);
    case 'restore':
      return restore(command, { path, key }, deps);
  }
}

/** The key that is configured; undefined: the recovery key is mistyped. */
function keyFor({ backupPassphrase, backupRecoveryKey }: BackupCommandDeps): ArchiveKey | undefined {
  if (backupRecoveryKey !== undefined) {
    const key = readRecoveryKey(backupRecoveryKey);
    return key === undefined ? undefined : { kind: 'recovery-key', key };
  }
  return backupPassphrase === undefined ? { kind: 'none' } : { kind: 'passphrase', passphrase: backupPassphrase };
}

async function backup(path: string, key: ArchiveKey, deps: BackupCommandDeps): Promise<AdminResult> {
  const { database, dataDir, productVersion, keptFree, now, threads } = deps;
  // The existing backup may be the only whole one, and the new one would take its name.
  if (await isThere(path)) return failed(`No backup was made: ${path} exists.`);
  const files = await sourceFilesOf({ dataDir }, { files: BACKUP_FILES, isEncrypted: key.kind !== 'none' });
  const outcome = await threads.write(
    {
      ...{ database, path, productVersion, key, files, keptFree, note: '' },
      createdAtMs: now(),
      history: HISTORY_PARTS,
      maxLogBytes: MAX_LOG_BYTES,
    },
    RUN,
  );
  if (!outcome.ok) return failed(`No backup was made: ${why(outcome)}`);
  const note = key.kind === 'none' ? ' It is not encrypted, and has no keys and certificates.' : '';
  const isTold = await tellAudit(deps, { action: 'backup.make', target: basename(path) });
  const untold = isTold ? '' : ' The audit log was not told of it: the database is of another version.';
  return { exitCode: 0, text: `${path} has ${outcome.bytes} bytes.${note}${untold}` };
}

async function verify(path: string, key: ArchiveKey, deps: BackupCommandDeps): Promise<AdminResult> {
  const outcome = await deps.threads.verify({ path, key }, RUN);
  const detail = outcome.ok ? { result: 'passed' } : { result: 'failed', reason: outcome.fault };
  // A new machine has no database, and so no audit log to write to.
  await tellAudit(deps, { action: 'backup.tested', target: basename(path), detail });
  if (!outcome.ok) return failed(`${path} can't be restored: ${why(outcome)}`);
  const { head, manifest } = outcome;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const made = new Date(head.createdAtMs).toISOString();
  return { exitCode: 0, text: `${path} is whole: made ${made} by version ${head.productVersion}, rows: ${rows}.` };
}

async function restore(
  { isDryRun, makesBackup, choices }: RestoreCommand,
  { path, key }: KeyedFile,
  deps: BackupCommandDeps,
): Promise<AdminResult> {
  if (isDryRun) return preview({ path, key }, deps);
  // A new machine has no data directory yet.
  await mkdir(deps.dataDir, { recursive: true, mode: 0o700 });
  const running = await usingDatabase(deps, (database) => runningGateway(database, deps.now()));
  if (running !== undefined) {
    return failed(`A gateway runs on ${running}, or has ended out of order. Stop it, wait 2 minutes and try again.`);
  }
  let before: string | undefined;
  const outcome = await restoreInstallation(
    { path, key, choices },
    {
      ...deps,
      build: (task) => deps.threads.build({ ...task, keptFree: deps.keptFree }, RUN),
      prepare: async () => {
        if (!makesBackup || !(await usingDatabase(deps, isInUse))) return undefined;
        before = await usingDatabase(deps, ({ db }) => deps.backUpPresent(createStores(db)));
        return before === undefined ? { ok: false, fault: 'backup-failed' } : undefined;
      },
    },
  );
  if (!outcome.ok) return failed(`Nothing was restored: ${whyNotRestored(outcome)}`);
  try {
    await usingDatabase(deps, (database) => recordRestore(database, outcome, deps.now()));
  } catch (error) {
    await outcome.exchange.undo();
    throw error;
  }
  await outcome.exchange.finish();
  const backedUp = before === undefined ? [] : [`The state before it is in ${before}.`];
  return {
    exitCode: 0,
    text: [`${path} is restored. All sessions have ended.`, ...backedUp, ...keptLines(outcome.kept)].join('\n'),
  };
}

async function preview({ path, key }: KeyedFile, deps: BackupCommandDeps): Promise<AdminResult> {
  const { database, threads } = deps;
  const schemaVersion = await presentSchema(deps);
  if (schemaVersion === undefined) return failed('There is no installation here yet: everything would be added.');
  if (schemaVersion !== NEWEST_SCHEMA) {
    return failed('The database is of another version. Start the gateway of this version once, and try again.');
  }
  const outcome = await threads.plan({ path, key, database }, RUN);
  if (!outcome.ok) return failed(`${path} can't be restored: ${why(outcome)}`);
  return { exitCode: 0, text: planLines(outcome).join('\n') };
}

/** PostgreSQL's code for a missing table, as in a new database. */
const UNDEFINED_TABLE = '42P01';

/** The version of the schema; undefined: there is no installation. Nothing is created or migrated, since a gateway may be running on it. */
async function presentSchema({ database, onFault }: BackupCommandDeps): Promise<number | undefined> {
  if (database.engine === 'sqlite' && !existsSync(database.file)) return undefined;
  try {
    const snapshot = await openSnapshot(database, onFault);
    await snapshot.close();
    return snapshot.schemaVersion;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

/** Whether there is anything to back up; a new database has no users. */
async function isInUse({ db }: OpenDatabase): Promise<boolean> {
  return (await createStores(db).users.count()) > 0;
}

function whyNotRestored(failure: RestoreFailure): string {
  const advice = "the present state can't be backed up. System Backup lists why; --without-backup restores without it.";
  return failure.fault === 'backup-failed' ? advice : why(failure);
}

/** A gateway that runs on this host or another one; on PostgreSQL several can run. */
async function runningGateway({ db }: OpenDatabase, nowMs: number): Promise<string | undefined> {
  return (await liveGateways(createStores(db).gateways, { nowMs }))[0];
}

/** Writes to the audit log; false: no database can be written to without changing its version. */
async function tellAudit(deps: BackupCommandDeps, entry: Omit<AuditEntry, 'actor'>): Promise<boolean> {
  // A backup can be verified while the database is down.
  const version = await presentSchema(deps).catch(() => undefined);
  if (version !== NEWEST_SCHEMA) return false;
  await usingDatabase(deps, ({ db }) => createStores(db).audit.add({ actor: '', ...entry }, wallMs(deps.now())));
  return true;
}

async function recordRestore({ db }: OpenDatabase, { head, kept }: Restored, nowMs: number): Promise<void> {
  const detail = { createdAtMs: head.createdAtMs, auditRows: kept.auditRows, revokedLinks: kept.revokedLinks.count };
  await createStores(db).audit.add({ actor: '', action: 'backup.restored', target: '', detail }, wallMs(nowMs));
}

async function usingDatabase<Result>(
  { database }: BackupCommandDeps,
  use: (database: OpenDatabase) => Promise<Result>,
): Promise<Result> {
  const open = await openDatabase(database);
  try {
    return await use(open);
  } finally {
    await open.close();
  }
}

/** Whether the path exists, as a broken symbolic link too. */
async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function why(failure: ArchiveFailure | { readonly fault: string }): string {
  return 'detail' in failure ? `${failure.fault} (${failure.detail}).` : `${failure.fault}.`;
}

function failed(text: string): AdminResult {
  return { exitCode: 1, text };
}
