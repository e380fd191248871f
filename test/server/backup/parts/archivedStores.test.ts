import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKey, createSecretBox } from '../../../../server/auth/secretBox.ts';
import { loadArchive } from '../../../../server/backup/archive/loadArchive.ts';
import { createArchivedStores } from '../../../../server/backup/parts/archivedStores.ts';
import { BackupFolder } from '../../../../server/backup/runner/backupFolder.ts';
import { sealedFor } from '../../../../server/backup/runner/sealedKeys.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { aRun, aWriteTask, written } from '../../../support/backup/archives.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { describeOnBothEngines, openForThreads } from '../../store/testDatabase.ts';

const PASSPHRASE = 'a long enough passphrase';

describeOnBothEngines('the stores of an archive', (engine) => {
  it('are those of the database that it was made of, and leave nothing behind', async () => {
    const { location, database } = await openForThreads(engine);
    await fillFleet(createStores(database.db));
    const root = await createTempFolder();
    onTestFinished(root.remove);
    const options = { path: join(root.path, 'backups'), isOwn: true, testPath: join(root.path, 'backup-tests') };
    const folder = new BackupFolder(options);
    await folder.isUsable();
    const file = folder.newName(0);
    const key = { kind: 'passphrase', passphrase: PASSPHRASE } as const;
    await written(aWriteTask(location, root.path, { path: folder.pathOf(file), key }));
    const box = createSecretBox(createKey());
    const keptFree = { recordings: join(root.path, 'recordings'), floorBytes: 0 };
    const load = (task: Parameters<typeof loadArchive>[0]) => loadArchive(task, aRun());
    const archives = createArchivedStores({ threads: { load }, folder, keptFree, box, onFault: noFaults });
    const sealedKey = sealedFor(file, PASSPHRASE, box);
    const backup = { file, encryption: 'passphrase', sealedKey, rows: 9 } as const;
    const names = (read: typeof backup | (Omit<typeof backup, 'sealedKey'> & { sealedKey: string }), text: string) =>
      archives.read({ backup: read, key: text }, aRun(), async ({ devices }, rowsOf) => {
        expect([rowsOf('device'), rowsOf('nothing')]).toEqual([2, 0]);
        return (await devices.list()).map(({ deviceId }) => deviceId);
      });
    const value = ['BUS1', 'BUS2'];
    expect(await names(backup, '')).toEqual({ ok: true, value });
    const uploaded = { ...backup, sealedKey: '' };
    expect(await names(uploaded, '')).toEqual({ ok: false, fault: 'key-needed' });
    expect(await names(uploaded, PASSPHRASE)).toEqual({ ok: true, value });
    expect(await names(uploaded, 'another passphrase')).toEqual({ ok: false, fault: 'wrong-key' });
    await folder.remove(file);
    expect(await names(backup, '')).toEqual({ ok: false, fault: 'file-missing' });
    expect(await readdir(options.testPath)).toEqual([]);
  });
});
