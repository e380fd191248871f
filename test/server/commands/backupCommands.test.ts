import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_CHOICES } from '../../../server/backup/restore/restoreChoices.ts';
import type { AdminResult } from '../../../server/commands/admin.ts';
import type { BackupCommand, RestoreCommand } from '../../../server/commands/backupCommand.ts';
import { type BackupCommandDeps, runBackupCommand } from '../../../server/commands/backupCommands.ts';
import type { DatabaseLocation } from '../../../server/store/engine/database.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { inProcessBackups } from '../../support/backup/inProcessBackups.ts';
import { anInstallation, ROWS, type TestInstallation } from '../../support/backup/installation.ts';
import { createPostgresDatabase } from '../../support/postgres/postgres.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';

const NOW_MS = 1_764_000_000_000;
/** Where the state before a restore is said to be. */
const BACKED_UP = '/backups/before.fgb';

const threads = inProcessBackups(() => undefined);

async function aStoppedOne(...given: Parameters<typeof anInstallation>): Promise<TestInstallation> {
  const installation = await anInstallation(...given);
  await installation.change((db) => db.deleteFrom('gateway').execute());
  return installation;
}

function run(
  { dataDir, database, onFault }: TestInstallation,
  kind: BackupCommand['kind'],
  changes: Partial<BackupCommandDeps> = {},
  options: Partial<RestoreCommand> & { readonly name?: string } = {},
): Promise<AdminResult> {
  const deps = {
    ...{ dataDir, database, onFault, threads, productVersion: '1.2.3', now: () => NOW_MS },
    ...{ backupPassphrase: 'correct horse', backupRecoveryKey: undefined },
    backUpPresent: async () => BACKED_UP,
    keptFree: { recordings: dataDir, floorBytes: 0 },
    ...changes,
  };
  const { name = 'a.fgb', ...chosen } = options;
  const file = join(dataDir, name);
  const restore = { isDryRun: false, makesBackup: true, choices: DEFAULT_CHOICES, ...chosen };
  return runBackupCommand(kind === 'restore' ? { kind, file, ...restore } : { kind, file }, deps);
}

async function anEmptyDatabase(engine: Engine, { dataDir }: TestInstallation): Promise<DatabaseLocation> {
  if (engine === 'sqlite') return { engine, file: join(dataDir, 'none.db') };
  const { url, close } = await createPostgresDatabase();
  onTestFinished(close);
  return { engine, url };
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

  it('make no installation for a preview', async () => {
    const installation = await aStoppedOne(engine);
    await run(installation, 'backup');
    const database = await anEmptyDatabase(engine, installation);
    const said = await run(installation, 'restore', { database }, { isDryRun: true });
    expect(said).toEqual({ exitCode: 1, text: 'There is no installation here yet: everything would be added.' });
    if (database.engine === 'sqlite') expect(existsSync(database.file)).toBe(false);
  });
});

// What they say and refuse is the same on both engines.
describe('the commands of backups', () => {
  it('tell the audit of what can’t be restored, and nothing where there is no database of this version', async () => {
    const installation = await aStoppedOne('sqlite');
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
    const made = await run(installation, 'backup', {}, { name: 'b.fgb' });
    expect(made).toMatchObject({ exitCode: 0, text: expect.stringContaining('audit log was not told') });
  });

  it('overwrite no backup', async () => {
    const installation = await aStoppedOne('sqlite');
    await run(installation, 'backup');
    const before = await readFile(join(installation.dataDir, 'a.fgb'));
    await installation.change((db) => db.updateTable('device').set({ name: 'Ruined' }).execute());
    expect(await run(installation, 'backup')).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('a.fgb exists'),
    });
    expect(await readFile(join(installation.dataDir, 'a.fgb'))).toEqual(before);
  });

  it('leave recordings the room that is theirs', async () => {
    const installation = await aStoppedOne('sqlite');
    await run(installation, 'backup');
    const before = await installation.state();
    const keptFree = { recordings: installation.dataDir, floorBytes: Number.MAX_SAFE_INTEGER };
    const full = { exitCode: 1, text: expect.stringContaining('disk-full') };
    expect(await run(installation, 'backup', { keptFree }, { name: 'b.fgb' })).toMatchObject(full);
    expect(existsSync(join(installation.dataDir, 'b.fgb'))).toBe(false);
    expect(await run(installation, 'restore', { keptFree })).toMatchObject(full);
    expect(await installation.state()).toEqual(before);
  });

  it('back up the present state before they restore, unless that is not wanted', async () => {
    const installation = await aStoppedOne('sqlite');
    await run(installation, 'backup');
    await installation.change((db) => db.updateTable('device').set({ name: 'Ruined' }).execute());
    const before = await installation.state();
    const backUpPresent = vi.fn(async (): Promise<string | undefined> => undefined);
    const refused = await run(installation, 'restore', { backUpPresent });
    expect(refused).toMatchObject({ exitCode: 1, text: expect.stringContaining('--without-backup') });
    expect(await installation.state()).toEqual(before);
    expect(backUpPresent).toHaveBeenCalledOnce();
    const unsaved = await run(installation, 'restore', { backUpPresent }, { makesBackup: false });
    expect(unsaved).toMatchObject({ exitCode: 0, text: expect.not.stringContaining('The state before it') });
    expect(backUpPresent).toHaveBeenCalledOnce();
    const saved = await run(installation, 'restore');
    expect(saved).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(`The state before it is in ${BACKED_UP}.`),
    });
  });

  it('back nothing up of an installation that nobody has used', async () => {
    const installation = await aStoppedOne('sqlite');
    await run(installation, 'backup');
    await installation.change((db) => db.deleteFrom('app_user').execute());
    const backUpPresent = vi.fn(async () => BACKED_UP);
    expect(await run(installation, 'restore', { backUpPresent })).toMatchObject({ exitCode: 0 });
    expect(backUpPresent).not.toHaveBeenCalled();
  });

  it('say what a restore would do, also beside a gateway, and do nothing', async () => {
    const installation = await aStoppedOne('sqlite');
    await run(installation, 'backup');
    await installation.change(async (db) => {
      await db.deleteFrom('event_rule').where('id', '=', 1).execute();
      const seen = { version: '1', startedAtMs: wallMs(1), seenAtMs: wallMs(NOW_MS) };
      await createStores(db).gateways.seen({ id: 'g', host: 'depot', ...seen });
    });
    const before = await installation.state();
    const backUpPresent = vi.fn(async () => BACKED_UP);
    const { exitCode, text } = await run(installation, 'restore', { backUpPresent }, { isDryRun: true });
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Made 2025-\d\d-\d\dT.* by version 1\.2\.3 on (sqlite|postgres)\.$/m);
    expect(text).toContain(`\nevent_rule: added: 1, kept: ${ROWS - 1}, removed: 0.\n`);
    expect(text).toMatch(/\nNothing was changed\.$/);
    expect(await installation.state()).toEqual(before);
    expect(backUpPresent).not.toHaveBeenCalled();
  });

  it('discard of the present state what is said', async () => {
    const installation = await aStoppedOne('sqlite');
    await installation.change((db) => db.updateTable('app_user').set({ disabled: 0 }).execute());
    await run(installation, 'backup');
    await installation.change((db) => db.updateTable('app_user').set({ disabled: 1 }).where('id', '=', 1).execute());
    const disabled = () =>
      installation.read((db) => db.selectFrom('app_user').select('id').where('disabled', '=', 1).execute());
    expect(await run(installation, 'restore')).toMatchObject({
      text: expect.stringContaining('Disabled since, and still so: '),
    });
    expect(await disabled()).toEqual([{ id: 1 }]);
    await run(installation, 'restore', {}, { choices: { ...DEFAULT_CHOICES, disabled: false } });
    expect(await disabled()).toEqual([]);
  });

  it('restore nothing beside a gateway that runs', async () => {
    const installation = await aStoppedOne('sqlite');
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
    const installation = await aStoppedOne('sqlite');
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
