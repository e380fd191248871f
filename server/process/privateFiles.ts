// Protects the data folder's contents (hashes, keys, positions, recordings) from other users of the machine.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** For what this process makes from here on: files for its own user alone, also in a folder that others may read. */
export function makeFilesPrivate(): void {
  process.umask(0o077);
}

/** May be readable by others, from an earlier version or a restored copy. */
const KEPT_FILES = ['fleetglass.db', 'fleetglass.db-wal', 'fleetglass.db-shm', 'second-factor.key', 'evidence.key'];
const KEPT_FOLDERS = ['recordings', 'evidence', 'reports', 'firmware', 'sync', 'uploads', 'tls'];

/** Creates the folder. An existing one keeps its mode, which its owner chose; our files in it become private. */
export function openDataFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of KEPT_FILES) closeToOthers(join(path, name), 0o600);
  for (const name of KEPT_FOLDERS) closeToOthers(join(path, name), 0o700);
}

function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Files of another user keep the mode that their owner chose.
  if (found === undefined || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}
