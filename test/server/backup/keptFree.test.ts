// What a backup and a test leave of the disk that recordings lie on.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MeasureDisk } from '../../../server/backup/archive/keptFree.ts';
import { type LoadTask, loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { writeArchive } from '../../../server/backup/archive/writeArchive.ts';
import { aRun, aWriteTask, written } from '../../support/backup/archives.ts';
import { filledDatabase } from '../../support/backup/filledDatabases.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';

const FULL = { ok: false, fault: 'disk-full' };
const HALF = 1_000;

describeOnBothEngines('on the disk of recordings', (engine) => {
  async function open() {
    const { path: folder, remove } = await createTempFolder();
    onTestFinished(remove);
    const location = await filledDatabase(engine, folder, { rows: 20, seed: 1 });
    const keptFree = { recordings: folder, floorBytes: 2 * HALF };
    const place = await createTempFolder();
    /** So much may be taken. */
    const measureDisk =
      (room: number): MeasureDisk =>
      async () => ({ id: 1, freeBytes: HALF + room });
    const write = (room: number) =>
      writeArchive(aWriteTask(location, place.path, { keptFree }), aRun({ measureDisk: measureDisk(room) }));
    return { location, place, keptFree, measureDisk, write };
  }

  it('a backup takes no more than there is room for, and leaves nothing', async () => {
    const { write, place } = await open();
    expect(await write(1_000)).toMatchObject(FULL);
    expect(await readdir(place.path)).toEqual([]);
    const whole = await write(10_000_000);
    if (!whole.ok) expect.fail(whole.detail);
    expect(await write(whole.bytes - 1)).toMatchObject(FULL);
    expect(await write(whole.bytes)).toMatchObject({ ok: true });
    await place.remove();
  });

  it('a test is refused by the rows of the backup, and ends when it has taken what there is', async () => {
    const { location, place, keptFree, measureDisk } = await open();
    const { manifest } = await written(aWriteTask(location, place.path));
    const lines = manifest.tables.reduce((sum, table) => sum + table.bytes, 0);
    let tests = 0;
    const load = async (room: number, expectedRows?: number) => {
      const file = join(place.path, `${++tests}.db`);
      const task = {
        path: join(place.path, 'a.fgbackup'),
        key: { kind: 'none' },
        database: { engine: 'sqlite', file },
      };
      const run = aRun({ measureDisk: measureDisk(room) });
      const outcome = await loadArchive({ ...task, keptFree, expectedRows } as LoadTask, run);
      const isBegun = await stat(file).then(
        () => true,
        () => false,
      );
      return [outcome.ok || outcome.fault, isBegun];
    };
    expect(await load(2 * lines - 1)).toEqual(['disk-full', true]);
    expect(await load(2 * lines)).toEqual([true, true]);
    expect(await load(2 * lines, 2 * lines)).toEqual(['disk-full', false]);
    await place.remove();
  });
});
