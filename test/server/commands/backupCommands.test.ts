import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { verifyArchive } from '../../../server/backup/archive/verifyArchive.ts';
import { writeArchive } from '../../../server/backup/archive/writeArchive.ts';
import { buildRestored } from '../../../server/backup/restore/buildRestored.ts';
import { planRestore } from '../../../server/backup/restore/planRestore.ts';
import type { BackupThreads } from '../../../server/backup/thread/backupThread.ts';
import type { AdminResult } from '../../../server/commands/admin.ts';
import type { BackupCommand } from '../../../server/commands/backupCommand.ts';
import { type BackupCommandDeps, runBackupCommand } from '../../../server/commands/backupCommands.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aRun } from '../../support/backup/archives.ts';
import { anInstallation, type TestInstallation } from '../../support/backup/installation.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';

const NOW_MS = 1_764_000_000_000;

/** In this thread. */
const threads: BackupThreads = {
  write: (task) => writeArchive(task, aRun({ onFault: () => undefined })),
  verify: (task) => verifyArchive(task, aRun({ onFault: () => undefined })),
  load: (task) => loadArchive(task, aRun({ onFault: () => undefined })),
  build: (task) => buildRestored(task, aRun({ onFault: () => undefined })),
  plan: (task) => planRestore(task, aRun({ onFault: () => undefined })),
};

async function aStoppedOne(...given: Parameters<typeof anInstallation>): Promise<TestInstallation> {
  const installation = await anInstallation(...given);
  await installation.change((db) => db.deleteFrom('gateway').execute());
  return installation;
}

function run(
  { dataDir, database, onFault }: TestInstallation,
  kind: BackupCommand['kind'],
  changes: Partial<BackupCommandDeps> = {},
  file = 'a.fgb',
): Promise<AdminResult> {
  const keys = { backupPassphrase: 'correct horse', backupRecoveryKey: undefined };
  const deps = { dataDir, database, onFault, threads, productVersion: '1.2.3', now: () => NOW_MS, ...keys, ...changes };
  return runBackupCommand({ kind, file: join(dataDir, file) }, deps);
}

function audited({ read }: TestInstallation) {
  return read((db) => db.selectFrom('audit').selectAll().where('action', 'like', 'backup.%').orderBy('id').execute());
}

describeOnBothEngines('the commands of backups', (engine) => {
  it('make one, verify it and restore it, which the audit has', async () => {
    const installation = await aStoppedOne(engine);
    expect(await run(installation, 'backup')).toMatchObject({ exitCode: 0 });
    expect(await run(installation, 'verify')).toMatchObject({ exitCode: 0, text: expect.stringContaining('is whole') });
    await installation.change((db) => db.updateTable('device').set({ name: 'Ruined' }).execute());
    await installation.writeFile('second-factor.key', 'another');
    expect(await run(installation, 'restore')).toMatchObject({ exitCode: 0 });
    const ruined = await installation.read((db) =>
      db.selectFrom('device').select('name').where('name', '=', 'Ruined').execute(),
    );
    expect(ruined).toEqual([]);
    expect(await installation.readFile('second-factor.key')).toBe('key');
    expect(await audited(installation)).toMatchObject([
      { action: 'backup.make', target: 'a.fgb', detail: '{}' },
      { action: 'backup.tested', target: 'a.fgb', detail: '{"result":"passed"}' },
      { action: 'backup.restored', at_ms: NOW_MS },
    ]);
  });

  it('tell the audit of what can’t be restored, and nothing where there is no database of this version', async () => {
    const installation = await aStoppedOne(engine);
    await run(installation, 'backup');
    await run(installation, 'verify', { backupPassphrase: 'another horse' });
    expect((await audited(installation)).at(-1)).toMatchObject({
      action: 'backup.tested',
      detail: '{"result":"failed","reason":"wrong-key"}',
    });
    const elsewhere = { engine: 'sqlite', file: join(installation.dataDir, 'none.db') } as const;
    expect(await run(installation, 'verify', { database: elsewhere })).toMatchObject({ exitCode: 0 });
    expect(existsSync(elsewhere.file)).toBe(false);

    const later = { version: 9_999, name: 'later', applied_at_ms: 1 };
    await installation.change((db) => db.insertInto('schema_version').values(later).execute());
    const made = await run(installation, 'backup', {}, 'b.fgb');
    expect(made).toMatchObject({ exitCode: 0, text: expect.stringContaining('audit log was not told') });
  });

  it('overwrite no backup', async () => {
    const installation = await aStoppedOne(engine);
    await run(installation, 'backup');
    const before = await readFile(join(installation.dataDir, 'a.fgb'));
    await installation.change((db) => db.updateTable('device').set({ name: 'Ruined' }).execute());
    expect(await run(installation, 'backup')).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('a.fgb exists'),
    });
    expect(await readFile(join(installation.dataDir, 'a.fgb'))).toEqual(before);
  });

  it('restore nothing beside a gateway that runs', async () => {
    const installation = await aStoppedOne(engine);
    await run(installation, 'backup');
    const before = await installation.state();
    const seen = (seenAtMs: number) =>
      installation.change((db) =>
        createStores(db).gateways.seen({
          ...{ id: 'g', host: 'depot', version: '1', startedAtMs: wallMs(1), seenAtMs: wallMs(seenAtMs) },
        }),
      );
    await seen(NOW_MS - 80_000);
    const refused = await run(installation, 'restore');
    expect(refused).toMatchObject({ exitCode: 1, text: expect.stringContaining('A gateway runs on depot') });
    expect(await installation.state()).toEqual(before);
    await seen(NOW_MS - 100_000);
    expect(await run(installation, 'restore')).toMatchObject({ exitCode: 0 });
  });

  it('say what is wrong with the key', async () => {
    const installation = await aStoppedOne(engine);
    await run(installation, 'backup');
    expect(await run(installation, 'verify', { backupPassphrase: 'another horse' })).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('wrong-key'),
    });
    expect(await run(installation, 'restore', { backupPassphrase: undefined })).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('key-needed'),
    });
    expect(await run(installation, 'restore', { backupRecoveryKey: 'ABCD' })).toEqual({
      exitCode: 1,
      text: 'BACKUP_RECOVERY_KEY is mistyped.',
    });
  });
});
