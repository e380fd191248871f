// The files of this installation that a backup holds.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFiles } from '../../../shared/protocol/backup/backupWords.ts';
import { INSTALLATION_FILES, type InstallationFile } from '../../installation.ts';
import type { SourceFile } from '../archive/bodyWriter.ts';
import { headerOf } from './archivedFiles.ts';

export interface WantedFiles {
  readonly files: readonly BackupFiles[];
  /** Keys and certificates leave the machine only so. */
  readonly isEncrypted: boolean;
}

const KEYS = Object.values<InstallationFile>(INSTALLATION_FILES).filter(({ backup }) => backup === 'encrypted-only');

export async function sourceFilesOf(dataDir: string, { files, isEncrypted }: WantedFiles): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  if (isEncrypted) {
    for (const { path } of KEYS) found.push(...(await fileAt(dataDir, path)));
  }
  for (const kind of files) {
    const { path: folder } = INSTALLATION_FILES[kind];
    for (const name of await filesBelow(join(dataDir, folder))) {
      // Also says that what is half written, or is no file of ours, stays out.
      found.push(...archived(dataDir, `${folder}/${name}`));
    }
  }
  return found;
}

async function fileAt(dataDir: string, path: string): Promise<readonly SourceFile[]> {
  const isThere = await stat(join(dataDir, path)).then(
    (found) => found.isFile(),
    () => false,
  );
  return isThere ? archived(dataDir, path) : [];
}

function archived(dataDir: string, path: string): readonly SourceFile[] {
  const header = headerOf(path);
  return header === undefined ? [] : [{ ...header, path: join(dataDir, path) }];
}

/** In the order of their names, with `/` between folders. Empty where there is no such folder yet. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.map((name) => name.replaceAll('\\', '/')).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
