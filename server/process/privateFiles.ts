// Keeps what lies in the data folder from other users of the machine: hashes, keys, positions, recordings.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** For what this process makes from here on: files for its own user alone, also in a folder that others may read. */
export function makeFilesPrivate(): void {
  process.umask(0o077);
}

/** What earlier versions, or a copy that was put back, may have left open to others. */
const KEPT_FILES = ['fleetglass.db', 'fleetglass.db-wal', 'fleetglass.db-shm', 'second-factor.key'];
const KEPT_FOLDERS = ['recordings', 'tls'];

/** Makes the folder. One that was there keeps its own mode, which is its owner's to choose; what is ours in it is closed. */
export function openDataFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of KEPT_FILES) closeToOthers(join(path, name), 0o600);
  for (const name of KEPT_FOLDERS) closeToOthers(join(path, name), 0o700);
}

function closeToOthers(path: string, mode: number): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Another user's is not ours to change, and it stands as its owner wants it.
  if (found === undefined || (found.mode & 0o077) === 0 || found.uid !== process.getuid?.()) return;
  chmodSync(path, mode);
}
