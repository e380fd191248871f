// A file system of its own that holds little, for what happens when it is full. Linux, as root.
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from '../tempFolder.ts';
import type { SmallDisk } from './recordingCrash.ts';

export interface MountedDisk extends SmallDisk {
  /** Leaves so much room. */
  fill(bytes?: number): void;
  /** Unmounts it. */
  close(): Promise<void>;
}

const BALLAST_BYTES = 64 * 1024;

/** Undefined where this user may mount nothing. */
export async function mountSmallDisk(mebibytes: number): Promise<MountedDisk | undefined> {
  const folder = await createTempFolder();
  const { path } = folder;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path]);
  if (mounted.status !== 0) {
    await folder.remove();
    return undefined;
  }
  const ballast = join(path, '.ballast');
  return {
    path,
    fill: (bytes = 0) => fillUp(ballast, bytes),
    release: () => rmSync(ballast, { force: true }),
    close: async () => {
      spawnSync('umount', [path]);
      await folder.remove();
    },
  };
}

function fillUp(path: string, leftBytes: number): void {
  const file = openSync(path, 'w');
  try {
    takeAll(file);
    ftruncateSync(file, Math.max(0, fstatSync(file).size - leftBytes));
  } finally {
    closeSync(file);
  }
}

function takeAll(file: number): void {
  const block = new Uint8Array(BALLAST_BYTES);
  try {
    while (writeSync(file, block) === block.byteLength);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
