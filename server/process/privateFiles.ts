// Protects the data folder's contents (hashes, keys, positions, recordings) from other users of the machine.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION_FILES } from '../installation.ts';

/** For what this process makes from here on: files for its own user alone, also in a folder that others may read. */
export function makeFilesPrivate(): void {
  process.umask(0o077);
}

/** Creates the folder. An existing one keeps its mode, which its owner chose; our files in it become private. */
export function openDataFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // They may be readable by others, from an earlier version or a restored copy.
  for (const { path: name, form } of Object.values(INSTALLATION_FILES)) {
    const [top = '', below] = name.split('/');
    closeToOthers(join(path, top), form === 'folder' || below !== undefined ? 0o700 : 0o600);
  }
}

function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Files of another user keep the mode that their owner chose.
  if (found === undefined || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}
