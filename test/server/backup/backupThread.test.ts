import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeArchive } from '../../../server/backup/archive/writeArchive.ts';
import { createBackupThreads } from '../../../server/backup/thread/backupThread.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { aRun, aWriteTask, succeeded, tableHashes, written } from '../../support/backup/archives.ts';
import { filledDatabase } from '../../support/backup/filledDatabases.ts';
import { fillTables } from '../../support/backup/fillTables.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { describeOnBothEngines, openForThreads } from '../store/testDatabase.ts';

const KEY = { kind: 'passphrase', passphrase: 'ünlocked' } as const;

async function aFilledOne(engine: Engine) {
  const { path: folder, remove } = await createTempFolder();
  onTestFinished(remove);
  return { folder, location: await filledDatabase(engine, folder, { rows: 20, seed: 1 }) };
}

describeOnBothEngines('backups in threads', (engine) => {
  const threads = createBackupThreads((error) => {
    throw error;
  }, 'a closed gateway');
  const options = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

  it('make an archive, read it back and load it', async () => {
    const { folder, location } = await aFilledOne(engine);
    const task = aWriteTask(location, folder, { key: KEY, note: 'before the move' });
    const made = succeeded(await threads.write(task, options()));
    const verified = succeeded(await threads.verify({ path: task.path, key: KEY }, options()));
    expect(verified.head).toMatchObject({ engine, note: 'before the move', productVersion: '1.2.3' });
    expect(verified.manifest).toEqual(made.manifest);
    const database = { engine: 'sqlite', file: join(folder, 'restored.db') } as const;
    succeeded(await threads.load({ path: task.path, key: KEY, database }, options()));
    const again = await written(aWriteTask(database, folder, { path: join(folder, 'again'), key: KEY }));
    expect(tableHashes(again)).toEqual(tableHashes(made));
  });

  // The program takes seconds to load where the machine is busy, and the end of a gateway waits for whoever is canceled.
  it.runIf(engine === 'sqlite')('do not load their program first when they are canceled', async () => {
    const { folder, location } = await openForThreads(engine);
    const canceling = new AbortController();
    const outcome = threads.write(aWriteTask(location, folder), { ...options(), signal: canceling.signal });
    canceling.abort();
    expect(await outcome).toEqual({ ok: false, fault: 'canceled', detail: 'canceled before it began' });
    expect((await readdir(folder)).filter((name) => name.includes('fgbackup'))).toEqual([]);
  });

  it.runIf(engine === 'sqlite')('leave nothing behind when they are canceled', async () => {
    const { folder, location } = await openForThreads(engine);
    await fillTables(location, 2_000, 1);
    const canceling = new AbortController();
    const run = { signal: canceling.signal, onProgress: () => canceling.abort() };
    expect(await threads.write(aWriteTask(location, folder), run)).toMatchObject({ ok: false, fault: 'canceled' });
    expect((await readdir(folder)).filter((name) => name.includes('fgbackup'))).toEqual([]);
  });

  it('are canceled in the middle', async () => {
    const { folder, location } = await aFilledOne(engine);
    const canceling = new AbortController();
    const run = aRun({ signal: canceling.signal, onProgress: () => canceling.abort() });
    expect(await writeArchive(aWriteTask(location, folder), run)).toMatchObject({ ok: false, fault: 'canceled' });
    expect((await readdir(folder)).filter((name) => name.includes('fgbackup'))).toEqual([]);
  });

  it.runIf(engine === 'sqlite')('give up when the write-ahead log grows beyond its bound', async () => {
    const { folder, location } = await openForThreads(engine);
    await fillTables(location, 20, 1);
    const outcome = await writeArchive(aWriteTask(location, folder, { maxLogBytes: 1_000 }), aRun());
    expect(outcome).toMatchObject({ ok: false, fault: 'wal-too-large' });
    expect((await readdir(folder)).filter((name) => name.includes('fgbackup'))).toEqual([]);
  });
});
