// One restore of an installation at a time, and no start of a gateway during one of another process.
import { constants } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RESTORE_FOLDER } from './restoreFolder.ts';

export interface RestoreLock {
  release(): Promise<void>;
}

/** Whether another process restores. */
export async function isRestoredElsewhere(dataDir: string): Promise<boolean> {
  const path = lockPath(dataDir);
  return !held.has(path) && isHeld(path);
}

/** Undefined: another restore is running. One whose process has been killed holds nothing. */
export async function lockRestore(dataDir: string): Promise<RestoreLock | undefined> {
  const path = lockPath(dataDir);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (await isHeld(path)) return undefined;
  await rm(path, { force: true });
  try {
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await handle.writeFile(String(process.pid)).finally(() => handle.close());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
  held.add(path);
  return {
    release: async () => {
      held.delete(path);
      await rm(path, { force: true });
    },
  };
}

function lockPath(dataDir: string): string {
  return join(dataDir, RESTORE_FOLDER, 'lock');
}

/** Locks of this process. In a container that is started again, the killed process had the same number. */
const held = new Set<string>();

async function isHeld(path: string): Promise<boolean> {
  if (held.has(path)) return true;
  const text = await readFile(path, 'utf8').catch(() => '');
  const pid = Number(text);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  return isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
