// Backups of a real database.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tryOwnReads } from '../../../../server/backup/runner/ownReads.ts';
import type { Engine } from '../../../../server/store/migrations/migration.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { backupScene } from '../../../support/backup/backupScene.ts';
import { inProcessBackups } from '../../../support/backup/inProcessBackups.ts';
import { aPosition } from '../../../support/tracks/drives.ts';
import { describeOnBothEngines, openForThreads } from '../../store/testDatabase.ts';

const PASSPHRASE = 'a long enough passphrase';

function fail(error: Error): never {
  throw error;
}

async function open(engine: Engine) {
  const { folder, location, database } = await openForThreads(engine);
  const stores = createStores(database.db, undefined, database.reading);
  const scene = backupScene({
    store: stores.backups,
    settings: stores.settings,
    threads: inProcessBackups(fail),
    database: location,
    tryReads: (file) => tryOwnReads(file, fail),
    folder,
  });
  await scene.runner.start();
  onTestFinished(() => scene.runner.close());
  return { ...scene, stores, database };
}

describeOnBothEngines('backups that are made', (engine) => {
  it('are whole, and restored as a test', async () => {
    const { runner, stores, folder, options, plan, idle } = await open(engine);
    await stores.devices.insert({ deviceId: 'CAR-1', name: 'One', chn: 4 });
    await plan({ encryption: 'passphrase' }, PASSPHRASE);
    const begun = await runner.make({ madeBy: 'amy', note: 'before the move' });
    await idle();
    const [backup] = await stores.backups.list();
    expect(backup).toMatchObject({
      ...(begun.ok ? { id: begun.value.id } : {}),
      state: 'done',
      note: 'before the move',
    });
    expect(backup).toMatchObject({ madeBy: 'amy', isManual: true, encryption: 'passphrase', engine, fault: '' });
    expect(backup?.test).toMatchObject({ state: 'passed', fault: '' });
    const bytes = await readFile(folder.pathOf(backup?.file ?? ''));
    expect(bytes).toHaveLength(backup?.bytes ?? 0);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(backup?.sha256);
    expect(backup?.rows).toBeGreaterThan(10);
    expect(await readdir(options.testPath)).toEqual([]);
  });
});

// A test is made on the embedded database, wherever the backup comes from.
describe('tests of backups', () => {
  it('fail where a track can’t be read, whichever device it is of', async () => {
    const { runner, stores, database, idle } = await open('sqlite');
    for (const deviceId of ['CAR-1', 'CAR-2']) await stores.devices.insert({ deviceId, name: deviceId, chn: 4 });
    const [, second] = await stores.devices.list();
    const { deviceId = '', incarnation = 0 } = second ?? {};
    await stores.positions.append([
      aPosition({ atMs: 1_000, latitude: 25, longitude: 121 }, { deviceId, incarnation }),
    ]);
    const test = async () => {
      await runner.make({ madeBy: 'amy', note: '' });
      await idle();
      return (await stores.backups.list())[0]?.test;
    };
    expect(await test()).toMatchObject({ state: 'passed' });
    await database.db.updateTable('position').set({ extra: 'no JSON' }).execute();
    expect(await test()).toMatchObject({ state: 'failed', fault: 'unreadable' });
  });

  it('have the own key of each after the plan has another', async () => {
    const { runner, stores, folder, plan, idle } = await open('sqlite');
    await plan({ encryption: 'passphrase' }, PASSPHRASE);
    await runner.make({ madeBy: 'amy', note: '' });
    await idle();
    await plan({ encryption: 'recovery-key' });
    const [backup] = await stores.backups.list();
    const { id = 0, file = '' } = backup ?? {};
    expect(await runner.testAgain(id, '')).toMatchObject({ ok: true });
    await idle();
    expect((await stores.backups.find(id))?.test).toMatchObject({ state: 'passed' });

    const bytes = await readFile(folder.pathOf(file));
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(folder.pathOf(file), bytes);
    await runner.testAgain(id, '');
    await idle();
    expect((await stores.backups.find(id))?.test).toMatchObject({ state: 'failed', fault: 'damaged' });

    await rm(folder.pathOf(file));
    await runner.testAgain(id, '');
    await idle();
    expect((await stores.backups.find(id))?.test).toMatchObject({ state: 'failed', fault: 'file-missing' });
  });
});
