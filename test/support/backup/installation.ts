// A small installation with a backup, for tests of restores.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { ArchiveFailure } from '../../../server/backup/archive/faults.ts';
import type { ArchiveKey } from '../../../server/backup/archive/keys.ts';
import type { ArchiveRun, WriteTask } from '../../../server/backup/archive/writeArchive.ts';
import { sourceFilesOf } from '../../../server/backup/files/sourceFiles.ts';
import { buildRestored } from '../../../server/backup/restore/buildRestored.ts';
import type { Installation } from '../../../server/backup/restore/restoration.ts';
import { DEFAULT_CHOICES } from '../../../server/backup/restore/restoreChoices.ts';
import { RESTORE_FOLDER } from '../../../server/backup/restore/restoreFolder.ts';
import {
  type RestoreDeps,
  type Restored,
  type RestoreFailure,
  restoreInstallation,
  type WantedRestore,
} from '../../../server/backup/restore/restoreInstallation.ts';
import { type DatabaseLocation, openDatabase, type StoreDb } from '../../../server/store/engine/database.ts';
import { isPostgres } from '../../../server/store/engine/lockingRows.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { BACKUP_FILES } from '../../../shared/protocol/backup/backupWords.ts';
import { placeSqliteFile } from '../databases/sqliteFile.ts';
import { createTempFolder } from '../tempFolder.ts';
import { aRun, aWriteTask, tableHashes, written } from './archives.ts';
import { filledDatabase } from './filledDatabases.ts';
import { fillTables } from './fillTables.ts';

export const ROWS = 12;
export const KEY: ArchiveKey = { kind: 'recovery-key', key: Buffer.alloc(32, 7) };
export const MEDIA = '0123456789abcdef0123456789abcdef';

export interface TestInstallation extends Installation {
  /** Opens the database, uses it, and closes it. */
  change(use: (db: StoreDb) => Promise<unknown>): Promise<void>;
  read<Result>(use: (db: StoreDb) => Promise<Result>): Promise<Result>;
  /** Below DATA_DIR. */
  writeFile(path: string, content: string): Promise<void>;
  readFile(path: string): Promise<string>;
  /** Makes an archive with all files. Gives its path. */
  backUp(changes?: Partial<WriteTask>): Promise<string>;
  /** Tables' rows and hashes. */
  state(): Promise<ReadonlyMap<string, string>>;
  /** The same with the files, and without the settings, where a restore puts its mark. */
  whole(): Promise<Readonly<Record<string, string>>>;
  restore(wanted?: Partial<WantedRestore>, run?: Partial<ArchiveRun>): Promise<Restored | RestoreFailure>;
}

/** With rows in every table, a key and a picture. */
export async function anInstallation(engine: Engine, seed = 1): Promise<TestInstallation> {
  const { path: dataDir, remove } = await createTempFolder();
  onTestFinished(remove);
  return withFiles(dataDir, await filledDatabase(engine, dataDir, { rows: ROWS, seed }));
}

/** The same in a folder and a database that are empty. */
export async function filledInstallation(dataDir: string, database: DatabaseLocation): Promise<TestInstallation> {
  if (database.engine === 'sqlite') await placeSqliteFile(database.file);
  else await (await openDatabase(database)).close();
  await fillTables(database, ROWS, 1);
  return withFiles(dataDir, database);
}

async function withFiles(dataDir: string, database: DatabaseLocation): Promise<TestInstallation> {
  const installation = installationAt(dataDir, database);
  await installation.writeFile('second-factor.key', 'key');
  await installation.writeFile(`evidence/01/${MEDIA}`, 'picture');
  return installation;
}

/** Members, rules and devices are gone, and another key is there. */
export async function ruin(installation: TestInstallation): Promise<void> {
  await installation.change(async (db) => {
    await db.deleteFrom('event_rule').execute();
    await db.deleteFrom('event').execute();
    await db.updateTable('device').set({ name: 'Ruined' }).execute();
  });
  await installation.writeFile('second-factor.key', 'another');
  await installation.writeFile(`evidence/01/${MEDIA}`, 'damaged');
}

/** Schemas, folders and journals that restores have made. */
export async function leftovers({ dataDir, read }: TestInstallation): Promise<string[]> {
  const schemas = await read(async (db) => {
    if (!isPostgres(db)) return [];
    const query = sql<{
      readonly name: string;
    }>`select nspname as name from pg_namespace where nspname like 'fleetglass%'`;
    return (await query.execute(db)).rows.map(({ name }) => name);
  });
  const names = await readdir(join(dataDir, RESTORE_FOLDER)).catch(() => []);
  return [...schemas, ...names.filter((name) => name !== 'lock')];
}

export function installationAt(dataDir: string, database: DatabaseLocation): TestInstallation {
  // The test's database is dropped while its last connections are still closing; what fails in use fails the call.
  const onFault = (): void => undefined;
  let archives = 0;
  const read: TestInstallation['read'] = async (use) => {
    const { db, close } = await openDatabase(database);
    return use(db).finally(close);
  };
  const backUp: TestInstallation['backUp'] = async (changes = {}) => {
    archives++;
    const folder = join(dataDir, 'archives', String(archives));
    await mkdir(folder, { recursive: true });
    const task = aWriteTask(database, folder, {
      key: KEY,
      files: await sourceFilesOf({ dataDir }, { files: BACKUP_FILES, isEncrypted: true }),
      ...changes,
    });
    await written(task);
    return task.path;
  };
  const state: TestInstallation['state'] = async () => {
    const folder = await createTempFolder();
    const archive = await written(aWriteTask(database, folder.path, { key: KEY }));
    await folder.remove();
    return tableHashes(archive);
  };
  return {
    ...{ dataDir, database, onFault, read, backUp },
    change: async (use) => void (await read(use)),
    writeFile: async (path, content) => {
      await mkdir(dirname(join(dataDir, path)), { recursive: true });
      await writeFile(join(dataDir, path), content);
    },
    readFile: (path) => readFile(join(dataDir, path), 'utf8'),
    state,
    whole: async () => {
      const tables = [...(await state())].filter(([name]) => name !== 'setting');
      const files = ['second-factor.key', `evidence/01/${MEDIA}`].map(
        async (path) => [path, await readFile(join(dataDir, path), 'utf8')] as const,
      );
      return Object.fromEntries([...tables, ...(await Promise.all(files))]);
    },
    restore: (wanted, run) => {
      const build: RestoreDeps['build'] = (task) => buildRestored(task, aRun({ onFault, ...run }));
      const prepare = async (): Promise<ArchiveFailure | undefined> => undefined;
      const deps = { dataDir, database, onFault, build, prepare };
      return restoreInstallation({ path: '', key: KEY, choices: DEFAULT_CHOICES, ...wanted }, deps);
    },
  };
}
