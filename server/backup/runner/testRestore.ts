// Tries a restore: a backup that can't be restored is none.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import type { ReadContents } from '../../store/system/backups.ts';
import type { KeptFree } from '../archive/keptFree.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { BackupRunOptions, BackupThreads } from '../thread/backupThread.ts';
import type { BackupFolder } from './backupFolder.ts';

export interface TestRestoreDeps {
  readonly threads: Pick<BackupThreads, 'load'>;
  readonly folder: Pick<BackupFolder, 'has' | 'pathOf' | 'makeTestFolder'>;
  readonly keptFree: KeptFree;
  /** Rejects where the data of the pages can't be read. */
  readonly tryReads: (file: string) => Promise<void>;
}

export interface TestedArchive {
  readonly file: string;
  readonly key: ArchiveKey;
  /** Rows of the archive; undefined for an uploaded one that has not been read yet. */
  readonly rows: number | undefined;
}

export type TestOutcome =
  | { readonly ok: true; readonly contents: ReadContents }
  | { readonly ok: false; readonly fault: Exclude<BackupFault, ''>; readonly detail: string };

/**
 * Restores from the archive's own place into an empty database of the embedded engine. Loading reads every block, hash and row, runs the
 * migrations, and checks the keys between tables.
 */
export async function testRestore(
  { threads, folder, keptFree, tryReads }: TestRestoreDeps,
  { file, key, rows }: TestedArchive,
  options: BackupRunOptions,
): Promise<TestOutcome> {
  if (!(await folder.has(file))) return { ok: false, fault: 'file-missing', detail: file };
  const place = await folder.makeTestFolder();
  try {
    const database = join(place, 'fleetglass.db');
    const task = { path: folder.pathOf(file), key, database: { engine: 'sqlite', file: database } } as const;
    const loaded = await threads.load({ ...task, keptFree, expectedRows: rows }, options);
    if (!loaded.ok) return loaded;
    const { contents } = loaded;
    if (rows !== undefined && contents.rows !== rows)
      return { ok: false, fault: 'damaged', detail: `${contents.rows} of ${rows} rows` };
    const unreadable = await whyUnreadable(tryReads, database);
    return unreadable === undefined ? { ok: true, contents } : { ok: false, fault: 'unreadable', detail: unreadable };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function whyUnreadable(tryReads: TestRestoreDeps['tryReads'], database: string): Promise<string | undefined> {
  try {
    await tryReads(database);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
