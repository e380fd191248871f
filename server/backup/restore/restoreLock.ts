// Allows one restore of an installation at a time, and no start of a gateway while another process restores.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { belowDataDir } from '../../installation.ts';
import { type FileLock, lockFile } from '../../store/backup/fileLock.ts';
import { RESTORE_FOLDER } from './restoreFolder.ts';

/** Undefined: another restore is running. */
export async function lockRestore(dataDir: string): Promise<FileLock | undefined> {
  const path = lockPath(dataDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const lock = lockFile(path);
  if (lock === undefined) return undefined;
  ofThisProcess.add(path);
  return {
    release: () => {
      ofThisProcess.delete(path);
      lock.release();
    },
  };
}

/** Whether another process is restoring. */
export function isRestoredElsewhere(dataDir: string): boolean {
  const path = lockPath(dataDir);
  if (ofThisProcess.has(path) || !existsSync(path)) return false;
  const lock = lockFile(path);
  lock?.release();
  return lock === undefined;
}

const ofThisProcess = new Set<string>();

function lockPath(dataDir: string): string {
  return belowDataDir(dataDir, `${RESTORE_FOLDER}/lock`);
}
