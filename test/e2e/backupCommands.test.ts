// The commands of backups as somebody at the machine gives them: the built program, with its threads, on files of a real installation.
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { builtGateway, root } from '../../server/setup/paths.mjs';
import { openDatabase } from '../../server/store/engine/database.ts';
import { createStores, type Stores } from '../../server/store/stores.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import { createTempFolder } from '../support/tempFolder.ts';

interface Said {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;
beforeEach(async () => {
  const { path, remove } = await createTempFolder();
  onTestFinished(remove);
  folder = path;
  await mkdir(join(folder, 'data'));
  await inDatabase(({ users }) => users.insert({ username: 'mei', passwordHash: 'hash', permissions: [] }, wallMs(1)));
});

function admin(args: readonly string[], BACKUP_PASSPHRASE = 'correct horse battery'): Promise<Said> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), BACKUP_PASSPHRASE };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(builtGateway, 'server/main.js'), 'admin', ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function inDatabase<Result>(use: (stores: Stores) => Promise<Result>): Promise<Result> {
  const { db, close } = await openDatabase({ engine: 'sqlite', file: join(folder, 'data/fleetglass.db') });
  return use(createStores(db)).finally(close);
}

// What else they do and say: test/server/commands/backupCommands.test.ts.
it('npm run admin -- backup, verify and restore bring back what was, and refuse a wrong passphrase', async () => {
  const file = join(folder, 'a.fgb');
  const made = await admin(['backup', file]);
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toMatch(/a\.fgb has \d+ bytes\.\n$/);
  const whole = await admin(['verify', file]);
  expect([whole.exitCode, whole.stderr]).toEqual([0, '']);
  expect(whole.stdout).toMatch(/a\.fgb is whole: made .* by version \d+\.\d+\.\d+.*, rows: \d+\.\n$/);
  await inDatabase(({ users }) =>
    users.insert({ username: 'newcomer', passwordHash: 'hash', permissions: [] }, wallMs(2)),
  );
  const wrong = await admin(['restore', file, '--dry-run'], 'another horse battery');
  expect([wrong.exitCode, wrong.stdout]).toEqual([1, '']);
  expect(wrong.stderr).toContain('wrong-key');
  expect(await inDatabase(({ users }) => users.count())).toBe(2);

  const restored = await admin(['restore', file]);
  expect([restored.exitCode, restored.stderr]).toEqual([0, '']);
  const [before = ''] = await readdir(join(folder, 'data/backups'));
  expect(restored.stdout).toContain(`The state before it is in ${join(folder, 'data/backups', before)}.\n`);
  expect(await inDatabase(({ users }) => users.findByName('newcomer'))).toBeUndefined();
  const listed = await inDatabase(({ backups }) => backups.list());
  expect(listed).toMatchObject([{ file: before, note: 'Before a restore', state: 'done', isManual: true }]);
});
