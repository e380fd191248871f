// Where tests keep their temporary files: databases, recordings and browser profiles, thousands in a run.
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * A disk in memory; Linux has one. `roomBytes`: many times what a run has at once, so that neither the disk nor the machine runs out.
 * @typedef {{ readonly path: string, readonly roomBytes: number }} MemoryDisk
 */

/** @type {MemoryDisk} */
const MEMORY_DISK = { path: '/dev/shm', roomBytes: 8 * 2 ** 30 };
const NAME = /^fleetglass-tests-(\d+)$/;

/**
 * Runs tests with an environment that keeps temporary files in memory, where there is room, and removes them afterwards. On a disk, making
 * and flushing them takes a tenth of the server tests' time. A TMPDIR that is set already stays.
 * @param {(env: Record<string, string>) => Promise<number>} run resolves with the exit code
 * @param {MemoryDisk} [disk]
 */
export async function withTestFolder(run, disk = MEMORY_DISK) {
  if (process.env.TMPDIR || !hasRoom(disk)) return run({});
  removeLeftovers(disk.path);
  const folder = join(disk.path, `fleetglass-tests-${process.pid}`);
  mkdirSync(folder);
  // The database server runs as another user, who only passes through.
  chmodSync(folder, 0o711);
  try {
    return await run({ TMPDIR: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param {MemoryDisk} disk */
function hasRoom({ path, roomBytes }) {
  try {
    const { bavail, bsize } = statfsSync(path);
    return Math.min(bavail * bsize, freemem()) >= roomBytes;
  } catch {
    return false; // no Linux
  }
}

/**
 * Files in memory take it until the machine restarts: those of a run that was killed go with the next one.
 * @param {string} path
 */
function removeLeftovers(path) {
  for (const name of readdirSync(path)) {
    const processId = NAME.exec(name)?.[1];
    if (processId !== undefined && !isRunning(Number(processId))) {
      rmSync(join(path, name), { recursive: true, force: true });
    }
  }
}

/** @param {number} processId */
function isRunning(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
