// The gateway as users run it, killed at random moments of a backup, its test restore and a restore: what was there or what was to come,
// whole, and nothing half done under a final name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRecoveryKey } from '../../../../server/backup/archive/recoveryKey.ts';
import { verifyArchive } from '../../../../server/backup/archive/verifyArchive.ts';
import { INSTALLATION_FILES } from '../../../../server/installation.ts';
import { BACKUPS_PATH, type Backup, type BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { installationAt, KEY, leftovers, type TestInstallation } from '../../../support/backup/installation.ts';
import { createRandom, pick, type Random } from '../../../support/fuzz.ts';
import { projectRoot } from '../../../support/gateway/program.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

const KILLS = IS_LONG ? 50 : 5;
/** BACKUP_KILL_SEED repeats the moments of a run that failed, as far as the machine does. */
const SEED = Number(process.env.BACKUP_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** What makes a backup, its test and a restore take a second or so. */
const AUDIT_ROWS = 60_000;
/** Rows that a gateway at rest writes nothing to. */
const COMPARED = ['device', 'device_group', 'event_type', 'event_rule', 'event_reason', 'role'] as const;
/** A gateway removes pictures of no event, and leaves keys alone. */
const KEY_FILE = INSTALLATION_FILES.sealingKey.path;
const KEYS = { now: `${'01'.repeat(32)}\n`, archived: `${'02'.repeat(32)}\n` };
const MAIN = join(projectRoot, 'dist/gateway/server/main.js');

let scene: TrackScene;
let installation: TestInstallation;
beforeAll(async () => {
  scene = await startTrackScene({ environment: { LOG_LEVEL: 'info' } });
  const { dataDir } = scene.product;
  installation = installationAt(dataDir, { engine: 'sqlite', file: join(dataDir, 'fleetglass.db') });
  await stop();
  await installation.change((db) =>
    sql`insert into audit (at_ms, actor, action, target, address, detail)
      with recursive n(x) as (select 1 union all select x + 1 from n where x < ${sql.lit(AUDIT_ROWS)})
      select x, 'ann', 'setting.change', 'target ' || x, '', '{"n":' || x || '}' from n`.execute(db),
  );
});
afterAll(() => scene?.close());

/** In order, so that a command may follow at once. */
async function stop(): Promise<void> {
  await scene.product.end();
  await installation.change((db) => db.deleteFrom('gateway').execute());
}

/** In rows and in a file. */
async function write(text: keyof typeof KEYS): Promise<void> {
  await installation.change((db) => db.updateTable('device').set({ name: text }).execute());
  await installation.writeFile(KEY_FILE, KEYS[text]);
}

async function stateNow(): Promise<readonly unknown[]> {
  const all = await installation.state();
  return [await installation.readFile(KEY_FILE), ...COMPARED.map((table) => all.get(table))];
}

const list = () => scene.call('chief', 'GET', BACKUPS_PATH) as Promise<BackupList>;

async function filesIn(folder: string): Promise<string[]> {
  return readdir(join(installation.dataDir, folder)).catch(() => []);
}

/** All that has a final name is whole and in the list; nothing else is there, and nothing is said to run. */
async function lookAtBackups(): Promise<readonly Backup[]> {
  const { backups, running } = await list();
  expect(running).toBeNull();
  const states = backups.map(({ state, test: { state: tested } }) => [state, tested]);
  expect(states.flat()).not.toContain('running');
  const done = backups.filter(({ state }) => state === 'done').map(({ file }) => file);
  expect((await filesIn('backups')).sort()).toEqual(done.sort());
  for (const file of done) {
    const path = join(installation.dataDir, 'backups', file);
    expect(await verifyArchive({ path, key: { kind: 'none' } }, aRun())).toMatchObject({ ok: true });
  }
  expect(await filesIn('backup-tests')).toEqual([]);
  return backups;
}

async function killBackup(random: Random): Promise<void> {
  const before = await stateNow();
  const does = pick(['write', 'test'] as const, random);
  const made = (await scene.call('chief', 'POST', BACKUPS_PATH, { note: does })) as Backup;
  await waitFor(
    `the moment to kill it: ${does}`,
    list,
    ({ running, backups }) =>
      running?.does === does || backups.find(({ id }) => id === made.id)?.test.state === 'passed',
  );
  await delay(random(600));
  await scene.product.kill();
  await scene.product.startAgain();
  const backups = await lookAtBackups();
  const found = backups.find(({ id }) => id === made.id);
  expect(['done', 'failed']).toContain(found?.state);
  if (found?.state === 'failed') expect(found.fault).toBe('interrupted');
  expect(await stateNow()).toEqual(before);
}

/** How far a restore is, as its folder shows it. */
const MOMENTS = {
  begun: async () => existsSync(join(installation.dataDir, 'restore')),
  building: async () => (await filesIn('restore')).some((name) => /^[0-9a-f]{12}$/.test(name)),
  exchanging: async () => existsSync(join(installation.dataDir, 'restore/journal.json')),
} as const;
const LONGEST_MS = { begun: 300, building: 1_500, exchanging: 40 } as const;

async function killRestore(random: Random, path: string): Promise<'new' | 'old' | 'none'> {
  await stop();
  await write('archived');
  const after = await stateNow();
  await write('now');
  const before = await stateNow();
  expect(before).not.toEqual(after);
  const child = spawn(process.execPath, [MAIN, 'admin', 'restore', path], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: installation.dataDir,
      BACKUP_RECOVERY_KEY: writeRecoveryKey(KEY.kind === 'recovery-key' ? KEY.key : new Uint8Array()),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => {
    complaint += String(part);
  });
  const ended = once(child, 'close');
  const moment = pick(['begun', 'building', 'exchanging', 'exchanging'] as const, random);
  while (child.exitCode === null && !(await MOMENTS[moment]())) await nextTurn();
  await delay(random(LONGEST_MS[moment]));
  child.kill('SIGKILL');
  await ended;
  expect(complaint).toBe('');
  const logged = scene.product.log().length;
  await scene.product.startAgain();
  const log = scene.product.log().slice(logged);
  const said = log.includes('what was restored') ? 'new' : log.includes('a restore was cut short') ? 'old' : 'none';
  const found = await stateNow();
  if (said === 'none') expect([before, after]).toContainEqual(found);
  else expect(found).toEqual(said === 'new' ? after : before);
  expect(await leftovers(installation)).toEqual([]);
  return said;
}

test(
  `killed ${KILLS} times while it makes and tests backups, and ${KILLS} times while one is restored, it is whole`,
  async () => {
    try {
      await write('archived');
      const path = await installation.backUp();
      await scene.product.startAgain();
      const random = createRandom(SEED);
      const said: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) await killBackup(random);
      // Another can be made, and passes its test.
      const made = (await scene.call('chief', 'POST', BACKUPS_PATH, { note: 'last' })) as Backup;
      const isTested = ({ backups }: BackupList): boolean =>
        backups.find(({ id }) => id === made.id)?.test.state === 'passed';
      await waitFor('the last backup has passed its test', list, isTested);
      await lookAtBackups();
      for (let kill = 0; kill < KILLS; kill++) said.push(await killRestore(random, path));
      if (IS_LONG) expect(new Set(said)).toContain('new');
    } catch (cause) {
      throw new Error(`with BACKUP_KILL_SEED=${SEED}: ${String(cause)}\n${scene.product.log()}`, { cause });
    }
  },
  KILLS * 60_000,
);
