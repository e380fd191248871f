// The files of an installation that a backup can hold, found below DATA_DIR.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { INSTALLATION_FILES, type InstallationFile } from '../../installation.ts';
import type { SourceFile } from '../archive/bodyWriter.ts';
import type { FileKind } from '../archive/manifest.ts';
import { headerOf } from './archivedFiles.ts';

/** In the order of their paths. What is being written has another name, and stays out. */
export async function sourceFiles(dataDir: string, kinds: readonly FileKind[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of Object.values<InstallationFile>(INSTALLATION_FILES)) {
    if (file.backup !== 'encrypted-only' && file.backup !== 'by-choice') continue;
    for (const path of await pathsOf(file, dataDir)) {
      const header = headerOf(path);
      if (header !== undefined && kinds.includes(header.kind)) found.push({ ...header, path: join(dataDir, path) });
    }
  }
  return found;
}

async function pathsOf({ path, form }: InstallationFile, dataDir: string): Promise<string[]> {
  if (!existsSync(join(dataDir, path))) return [];
  if (form === 'file') return [path];
  const entries = await readdir(join(dataDir, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dataDir).length + 1))
    .sort();
}
