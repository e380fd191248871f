// The files of this installation that are part of a backup.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFiles } from '../../../shared/protocol/backup/backupWords.ts';
import { INSTALLATION_FILES, type InstallationFileName, installationPath } from '../../installation.ts';
import type { SourceFile } from '../archive/bodyWriter.ts';
import { headerOf } from './archivedFiles.ts';

export interface WantedFiles {
  readonly files: readonly BackupFiles[];
  /** Keys and certificates only leave the machine encrypted. */
  readonly isEncrypted: boolean;
}

interface Installation {
  readonly dataDir: string;
}

const NAMES = Object.keys(INSTALLATION_FILES) as readonly InstallationFileName[];
const KEYS = NAMES.filter((name) => INSTALLATION_FILES[name].backup === 'encrypted-only');

export async function sourceFilesOf(at: Installation, { files, isEncrypted }: WantedFiles): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const name of isEncrypted ? KEYS : []) {
    if (await isFile(installationPath(at, name))) found.push(...archived(at, name));
  }
  for (const name of files) {
    for (const file of await filesBelow(installationPath(at, name))) found.push(...archived(at, name, file));
  }
  return found;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

/** Empty for incomplete files, and for files that don't belong to the installation. `below`: with `/` between folders. */
function archived(at: Installation, name: InstallationFileName, below?: string): readonly SourceFile[] {
  const { path } = INSTALLATION_FILES[name];
  const header = headerOf(below === undefined ? path : `${path}/${below}`);
  if (header === undefined) return [];
  return [{ ...header, path: join(installationPath(at, name), below ?? '') }];
}

/** The files in the order of their names. Empty where the folder doesn't exist yet. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.map((name) => name.replaceAll('\\', '/')).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
