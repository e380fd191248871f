// A disk that is full at any point of a backup or a restore: an error that says so, and the installation as before.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadArchive } from '../../../../server/backup/archive/loadArchive.ts';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { aRun, aWriteTask } from '../../../support/backup/archives.ts';
import { fillDiskAfter } from '../../../support/backup/injectedFullDisk.ts';
import { anInstallation, filledInstallation, KEY, leftovers, ruin } from '../../../support/backup/installation.ts';
import { type MountedDisk, mountSmallDisk } from '../../../support/gateway/smallDisk.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

/** Number of places at which the disk gets full, for each thing that is done. */
const PLACES = IS_LONG ? 200 : 4;
/** Rows of PostgreSQL lie on the disk of its server: a restore writes only files and journals here. */
const RESTORE_PLACES = { sqlite: PLACES, postgres: IS_LONG ? PLACES : 2 };
const FULL = { ok: false, fault: 'disk-full' } as const;

async function aFolder(): Promise<string> {
  const { path, remove } = await createTempFolder();
  onTestFinished(remove);
  return path;
}

describeOnBothEngines('on a disk that takes no more bytes', (engine) => {
  it('a backup fails wherever that is, and nothing of it is left', async () => {
    const { database } = await anInstallation(engine);
    const folder = await aFolder();
    const task = aWriteTask(database, folder, { key: KEY });
    const whole = await writeArchive(task, aRun());
    if (!whole.ok) expect.fail(whole.detail);
    const other = { ...task, path: join(folder, 'other.fgb') };
    for (let place = 0; place < PLACES; place++) {
      const disk = await fillDiskAfter(Math.floor((place * whole.bytes) / PLACES));
      const outcome = await writeArchive(other, aRun()).finally(disk.release);
      expect(outcome).toMatchObject(FULL);
      expect(await readdir(folder)).toEqual(['a.fgbackup']);
    }
    // Overwriting the older backup fails as well.
    const disk = await fillDiskAfter(whole.bytes - 1);
    expect(await writeArchive(task, aRun()).finally(disk.release)).toMatchObject(FULL);
    expect(await readdir(folder)).toEqual(['a.fgbackup']);
  });

  it('a restore fails wherever that is, and everything is as it was', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.whole();
    // This counts the bytes that a restore writes, since a few more or less in a file or a journal matter.
    const endless = await fillDiskAfter(Number.POSITIVE_INFINITY);
    const restored = await installation.restore({ path }).finally(endless.release);
    if (!restored.ok) expect.fail(restored.fault);
    await restored.exchange.undo();
    expect(await installation.whole()).toEqual(before);
    const places = RESTORE_PLACES[engine];
    for (let place = 0; place < places; place++) {
      const disk = await fillDiskAfter(Math.floor((place * endless.asked()) / places));
      const outcome = await installation.restore({ path }).finally(disk.release);
      expect(outcome).toMatchObject(FULL);
      expect(await installation.whole()).toEqual(before);
      expect(await leftovers(installation)).toEqual([]);
    }
  });
});

const MEBIBYTES = 64;
/** Room by which the free space grows each time, until there is enough. */
const STEP_BYTES = IS_LONG ? 16 * 1024 : 320 * 1024;

/** A small disk that exists until the test is over. */
async function aSmallDisk(): Promise<MountedDisk | undefined> {
  const disk = await mountSmallDisk(MEBIBYTES);
  if (disk !== undefined) onTestFinished(() => disk.close());
  return disk;
}

/** Repeats the work with more room each time. Gives how often it failed before there was room. */
async function untilThereIsRoom<Outcome extends { readonly ok: boolean }>(
  disk: MountedDisk,
  work: () => Promise<Outcome>,
  look: () => Promise<void>,
): Promise<readonly [number, Outcome]> {
  for (let failed = 0; ; failed++) {
    disk.fill(failed * STEP_BYTES);
    const outcome = await work().finally(() => disk.release());
    if (outcome.ok) return [failed, outcome];
    expect({ failed, ...outcome }).toMatchObject({ failed, ...FULL });
    await look();
  }
}

describe('on a small disk', () => {
  it('a backup fails until there is room', async ({ skip }) => {
    const disk = await aSmallDisk();
    if (disk === undefined) return skip('this user may mount no file system');
    const folder = join(disk.path, 'backups');
    await mkdir(folder);
    // Only the backups are on the full disk, as with a network share: the database lies elsewhere.
    const { database } = await anInstallation('sqlite', 3);
    const task = aWriteTask(database, folder, { key: KEY });
    const [failed] = await untilThereIsRoom(
      disk,
      () => writeArchive(task, aRun()),
      async () => expect(await readdir(folder)).toEqual([]),
    );
    expect(failed).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual(['a.fgbackup']);
  });

  it('a test restore fails until there is room', async ({ skip }) => {
    const disk = await aSmallDisk();
    if (disk === undefined) return skip('this user may mount no file system');
    const path = await (await anInstallation('sqlite', 3)).backUp();
    const folder = join(disk.path, 'try');
    const load = async () => {
      await mkdir(folder);
      const database = { engine: 'sqlite', file: join(folder, 'a.db') } as const;
      return loadArchive({ path, key: KEY, database, filesFolder: join(folder, 'files') }, aRun());
    };
    // The caller has to remove what a failed attempt leaves, which would take the room of the next.
    const [failed] = await untilThereIsRoom(disk, load, () => rm(folder, { recursive: true, force: true }));
    expect(failed).toBeGreaterThan(2);
  });

  it('a restore fails until there is room, and everything is as it was', async ({ skip }) => {
    const disk = await aSmallDisk();
    if (disk === undefined) return skip('this user may mount no file system');
    const dataDir = join(disk.path, 'data');
    await mkdir(dataDir);
    const installation = await filledInstallation(dataDir, {
      engine: 'sqlite',
      file: join(dataDir, 'fleetglass.db'),
    });
    const after = await installation.whole();
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.whole();
    const [failed, outcome] = await untilThereIsRoom(
      disk,
      () => installation.restore({ path }),
      async () => {
        expect(await installation.whole()).toEqual(before);
        expect(await leftovers(installation)).toEqual([]);
      },
    );
    expect(failed).toBeGreaterThan(2);
    if (!('exchange' in outcome)) expect.fail('not restored');
    await outcome.exchange.finish();
    expect(await installation.whole()).toEqual(after);
    expect(await leftovers(installation)).toEqual([]);
  });
});
