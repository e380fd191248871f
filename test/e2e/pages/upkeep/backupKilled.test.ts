// The gateway as users run it, killed at random moments of a backup, its test restore and a restore: what was there or what was to come,
// whole, and nothing half done under a final name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRecoveryKey } from '../../../../server/backup/archive/recoveryKey.ts';
import type { BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import { KEY } from '../../../support/backup/installation.ts';
import { createRandom, pick, type Random } from '../../../support/fuzz.ts';
import { projectRoot } from '../../../support/gateway/program.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type BackupScene, type Said, startBackupScene } from './backupScene.ts';

const KILLS = IS_LONG ? 50 : 1;
/** For the backups that nobody kills. */
const MINUTES_BESIDE_MS = 240_000;
/** BACKUP_KILL_SEED repeats the moments of a run that failed, as far as the machine does. */
const SEED = Number(process.env.BACKUP_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MAIN = join(projectRoot, 'dist/gateway/server/main.js');
/** How long after a moment a restore may be killed. */
const LONGEST_MS = { begun: 300, building: 1_500, exchanging: 40 } as const;

let at: BackupScene;
beforeAll(async () => {
  at = await startBackupScene();
});
afterAll(() => at?.scene.close());

async function killBackup(random: Random): Promise<void> {
  const { scene, list, stateNow } = at;
  const before = await stateNow();
  const does = pick(['write', 'test'] as const, random);
  const made = await at.makeBackup(does);
  await waitFor(
    `the moment to kill it: ${does}`,
    list,
    ({ running, backups }) =>
      running?.does === does || backups.find(({ id }) => id === made.id)?.test.state === 'passed',
  );
  await delay(random(600));
  await scene.product.kill();
  await scene.product.startAgain();
  const backups = await at.lookAtBackups();
  const found = backups.find(({ id }) => id === made.id);
  expect(['done', 'failed']).toContain(found?.state);
  if (found?.state === 'failed') expect(found.fault).toBe('interrupted');
  expect(await stateNow()).toEqual(before);
}

/** By the command, while no gateway runs. */
async function killRestore(random: Random, path: string): Promise<Said> {
  await at.stop();
  await at.write('archived');
  const after = await at.stateNow();
  await at.write('now');
  const before = await at.stateNow();
  expect(before).not.toEqual(after);
  const child = spawn(process.execPath, [MAIN, 'admin', 'restore', path], {
    cwd: projectRoot,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: at.installation.dataDir,
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
  while (child.exitCode === null && !(await at.isAt(moment))) await delay(1);
  await delay(random(LONGEST_MS[moment]));
  child.kill('SIGKILL');
  await ended;
  expect(complaint).toBe('');
  const said = await at.startAfterRestore();
  const found = await at.stateNow();
  if (said === 'none') expect([before, after]).toContainEqual(found);
  else expect(found).toEqual(said === 'new' ? after : before);
  return said;
}

test(
  `killed while it makes and tests backups, and while one is restored, it is whole (times: ${KILLS})`,
  async () => {
    const { scene, installation, list } = at;
    try {
      await at.write('archived');
      const path = await installation.backUp();
      await scene.product.startAgain();
      const random = createRandom(SEED);
      const said: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) await killBackup(random);
      // Another can be made, and passes its test.
      const made = await at.makeBackup('last');
      const isTested = ({ backups }: BackupList): boolean =>
        backups.find(({ id }) => id === made.id)?.test.state === 'passed';
      await waitFor('the last backup has passed its test', list, isTested);
      await at.lookAtBackups();
      for (let kill = 0; kill < KILLS; kill++) said.push(await killRestore(random, path));
      if (IS_LONG) expect(new Set(said)).toContain('new');
    } catch (cause) {
      throw new Error(`with BACKUP_KILL_SEED=${SEED}: ${String(cause)}\n${scene.product.log()}`, { cause });
    }
  },
  MINUTES_BESIDE_MS + KILLS * 60_000,
);
