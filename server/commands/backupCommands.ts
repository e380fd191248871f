// `npm run admin -- backup FILE`, `restore FILE` and `verify FILE`: the same as the page, on the day there is none.
import { lstat, mkdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { BACKUP_FILES } from '../../shared/protocol/backup/backupWords.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { ArchiveFailure } from '../backup/archive/faults.ts';
import type { ArchiveKey } from '../backup/archive/keys.ts';
import { readRecoveryKey } from '../backup/archive/recoveryKey.ts';
import { MAX_LOG_BYTES } from '../backup/archive/writeArchive.ts';
import { sourceFilesOf } from '../backup/files/sourceFiles.ts';
import type { KeptByRestore } from '../backup/restore/carryOver.ts';
import { liveGateways } from '../backup/restore/liveGateways.ts';
import type { Installation } from '../backup/restore/restoration.ts';
import { DEFAULT_CHOICES } from '../backup/restore/restoreChoices.ts';
import { type Restored, restoreInstallation } from '../backup/restore/restoreInstallation.ts';
import type { BackupThreads } from '../backup/thread/backupThread.ts';
import type { AuditEntry } from '../store/audit/auditEntry.ts';
import { NEWEST_SCHEMA } from '../store/backup/migrateHere.ts';
import { openSnapshot } from '../store/backup/openSnapshot.ts';
import { HISTORY_PARTS } from '../store/backup/tableParts.ts';
import { type OpenDatabase, openDatabase } from '../store/engine/database.ts';
import { createStores } from '../store/stores.ts';
import type { AdminResult } from './admin.ts';
import type { BackupCommand } from './backupCommand.ts';

export interface BackupCommandDeps extends Installation {
  readonly threads: BackupThreads;
  readonly productVersion: string;
  readonly now: () => number;
  readonly backupPassphrase: string | undefined;
  readonly backupRecoveryKey: string | undefined;
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
      return restore(path, key, deps);
  }
}

/** Undefined: mistyped. */
function keyFor({ backupPassphrase, backupRecoveryKey }: BackupCommandDeps): ArchiveKey | undefined {
  if (backupRecoveryKey !== undefined) {
    const key = readRecoveryKey(backupRecoveryKey);
    return key === undefined ? undefined : { kind: 'recovery-key', key };
  }
  return backupPassphrase === undefined ? { kind: 'none' } : { kind: 'passphrase', passphrase: backupPassphrase };
}

async function backup(path: string, key: ArchiveKey, deps: BackupCommandDeps): Promise<AdminResult> {
  const { database, dataDir, productVersion, now, threads } = deps;
  // It may be the only one that is whole, and the new one takes its name.
  if (await isThere(path)) return failed(`No backup was made: ${path} exists.`);
  const files = await sourceFilesOf({ dataDir }, { files: BACKUP_FILES, isEncrypted: key.kind !== 'none' });
  const outcome = await threads.write(
    {
      ...{ database, path, productVersion, key, files, note: '' },
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
  // On a new machine there is no database, and nothing to tell.
  await tellAudit(deps, { action: 'backup.tested', target: basename(path), detail });
  if (!outcome.ok) return failed(`${path} can't be restored: ${why(outcome)}`);
  const { head, manifest } = outcome;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const made = new Date(head.createdAtMs).toISOString();
  return { exitCode: 0, text: `${path} is whole: made ${made} by version ${head.productVersion}, rows: ${rows}.` };
}

async function restore(path: string, key: ArchiveKey, deps: BackupCommandDeps): Promise<AdminResult> {
  // On a new machine nothing is there yet.
  await mkdir(deps.dataDir, { recursive: true, mode: 0o700 });
  const running = await usingDatabase(deps, (database) => runningGateway(database, deps.now()));
  if (running !== undefined) {
    return failed(`A gateway runs on ${running}, or has ended out of order. Stop it, wait 2 minutes and try again.`);
  }
  const outcome = await restoreInstallation(
    { path, key, choices: DEFAULT_CHOICES },
    {
      ...deps,
      build: (task) => deps.threads.build(task, RUN),
      // Whoever works at the machine makes one with the command `backup`.
      prepare: async () => undefined,
    },
  );
  if (!outcome.ok) return failed(`Nothing was restored: ${why(outcome)}`);
  try {
    await usingDatabase(deps, (database) => recordRestore(database, outcome, deps.now()));
  } catch (error) {
    await outcome.exchange.undo();
    throw error;
  }
  await outcome.exchange.finish();
  return {
    exitCode: 0,
    text: [`${path} is restored. All sessions have ended.`, ...keptLines(outcome.kept)].join('\n'),
  };
}

/** On this host or another one; on PostgreSQL several can run. */
async function runningGateway({ db }: OpenDatabase, nowMs: number): Promise<string | undefined> {
  return (await liveGateways(createStores(db).gateways, { nowMs }))[0];
}

/** False: there is no database that this program can write to without changing its version. */
async function tellAudit(deps: BackupCommandDeps, entry: Omit<AuditEntry, 'actor'>): Promise<boolean> {
  if ((await schemaVersion(deps)) !== NEWEST_SCHEMA) return false;
  await usingDatabase(deps, ({ db }) => createStores(db).audit.add({ actor: '', ...entry }, wallMs(deps.now())));
  return true;
}

async function schemaVersion({ database }: BackupCommandDeps): Promise<number | undefined> {
  try {
    const snapshot = await openSnapshot(database, () => undefined);
    await snapshot.close();
    return snapshot.schemaVersion;
  } catch {
    return undefined; // none is there
  }
}

async function recordRestore({ db }: OpenDatabase, { head, kept }: Restored, nowMs: number): Promise<void> {
  const detail = { createdAtMs: head.createdAtMs, auditRows: kept.auditRows, revokedLinks: kept.revokedLinks };
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

function keptLines({ disabled, passwordChanged, revokedLinks, history }: KeptByRestore): string[] {
  const lost = history.filter(({ outcome }) => outcome !== 'kept').map(({ part }) => part);
  return [
    ...(disabled.length === 0 ? [] : [`Disabled since, and still so: ${disabled.join(', ')}.`]),
    ...(passwordChanged.length === 0 ? [] : [`Password changed since, and kept: ${passwordChanged.join(', ')}.`]),
    ...(revokedLinks === 0 ? [] : [`Links revoked since, and still so: ${revokedLinks}.`]),
    ...(lost.length === 0 ? [] : [`Not in the backup, and not kept: ${lost.join(', ')}.`]),
  ];
}

/** Also a link that leads nowhere. */
async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function why(failure: ArchiveFailure | { readonly fault: string }): string {
  return 'detail' in failure ? `${failure.fault} (${failure.detail}).` : `${failure.fault}.`;
}

function failed(text: string): AdminResult {
  return { exitCode: 1, text };
}
