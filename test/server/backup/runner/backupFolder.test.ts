// Files that come under the name of a backup, on one disk and from one to another.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BackupFolder } from '../../../../server/backup/runner/backupFolder.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

/** Linux has one disk in memory, and folders that are on another as a rule. */
const OTHER_DISK = ['/dev/shm', '/var/tmp'].find(isOtherDisk);
const BYTES = Buffer.alloc(600_000, 'archive');

let root: string;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  root = folder.path;
});

async function folderBelow(path: string) {
  const folder = new BackupFolder({ path: join(path, 'backups'), isOwn: true, testPath: join(path, 'tests') });
  await mkdir(folder.path, { recursive: true });
  const [from, name] = [join(root, 'uploaded'), folder.newName(0)];
  await writeFile(from, BYTES);
  return { folder, from, name };
}

describe('BackupFolder.adopt', () => {
  it('renames on the same disk', async () => {
    const { folder, from, name } = await folderBelow(root);
    await folder.adopt(from, name, new AbortController().signal);
    expect(await readFile(folder.pathOf(name))).toEqual(BYTES);
    expect((await readdir(root)).includes('uploaded')).toBe(false);
  });

  describe.skipIf(OTHER_DISK === undefined)('copies from another disk', () => {
    it('under a temporary name until it is whole, and keeps the first', async () => {
      const { folder, from, name } = await folderBelow(onOtherDisk());
      await folder.adopt(from, name, new AbortController().signal);
      expect(await readFile(folder.pathOf(name))).toEqual(BYTES);
      expect(await readdir(folder.path)).toEqual([name]);
      expect(await readFile(from)).toEqual(BYTES);
    });

    it('and leaves nothing when it is canceled', async () => {
      const { folder, from, name } = await folderBelow(onOtherDisk());
      await expect(folder.adopt(from, name, AbortSignal.abort())).rejects.toMatchObject({ fault: 'canceled' });
      expect(await readdir(folder.path)).toEqual([]);
      expect(await readFile(from)).toEqual(BYTES);
    });
  });
});

function isOtherDisk(path: string): boolean {
  const disk = statSync(path, { throwIfNoEntry: false });
  return disk !== undefined && disk.dev !== statSync(tmpdir()).dev;
}

function onOtherDisk(): string {
  const path = mkdtempSync(join(OTHER_DISK ?? '', 'fleetglass-test-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}
