// The gateway as users run it, killed at random moments of a backup, of its test, and of a restore that a page asks it for: what was there
// or what was to come, whole, and nothing half done under a final name. A restore by command: test/server/app/killedRestore.test.ts.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  RESTORE_PATH,
  RESTORE_PLAN_PATH,
  type RestoreState,
  type WantedRestore,
} from '../../../../shared/protocol/api/system/restore.ts';
import { createRandom, pick, type Random } from '../../../support/fuzz.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type BackupScene, type Said, SITE_TITLE, startBackupScene } from './backupScene.ts';

const KILLS = IS_LONG ? 50 : 1;
/** Time for the backup that nobody kills. */
const MINUTES_BESIDE_MS = 240_000;
/** BACKUP_KILL_SEED repeats the moments of a run that failed, as far as the machine does. */
const SEED = Number(process.env.BACKUP_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MOMENTS = ['begun', 'building', 'exchanging', 'exchanging'] as const;
/** How long after a moment of a restore it may be killed. The start of the restored gateway takes a second or so. */
const LONGEST_MS = 1_500;
const MOMENT_MS = 30_000;

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

/** Begins a restore as the page does: a dry run, then the confirmation. */
async function beginRestore(backup: number): Promise<void> {
  const { call } = at.scene;
  const state = () => call('chief', 'GET', RESTORE_PATH) as Promise<RestoreState>;
  await call('chief', 'POST', RESTORE_PLAN_PATH, { backup, key: '' });
  const { dryRun } = await waitFor('a dry run', state, ({ dryRun: run }) => run !== null && run.state !== 'running');
  const keep = { disabled: true, passwords: true, links: true, history: true };
  const wanted = { plan: dryRun?.plan?.id ?? '', title: SITE_TITLE, password: PASSWORD, keep } satisfies WantedRestore;
  await call('chief', 'POST', RESTORE_PATH, wanted);
}

/** Kills the gateway while it closes, backs up the present state, builds the other one, exchanges both, or starts again. */
async function killRestoring(random: Random): Promise<void> {
  const moment = pick(MOMENTS, random);
  const { product } = at.scene;
  const logged = product.log().length;
  // A moment may be over within milliseconds, and be missed.
  const isOver = () => product.log().slice(logged).includes('Server listening');
  const deadlineMs = performance.now() + MOMENT_MS;
  while (!(await at.isAt(moment)) && !isOver() && performance.now() < deadlineMs) await delay(1);
  expect(performance.now(), `it came to be ${moment}`).toBeLessThan(deadlineMs);
  await delay(random(LONGEST_MS));
  await product.kill();
}

/** Begins and ends with a gateway that runs. `after`: what a restore leads to. */
async function killRestore(random: Random, backup: number, after: readonly unknown[]): Promise<Said> {
  await at.rename(`Renamed ${random(2 ** 31)}`);
  const before = await at.stateNow();
  expect(before).not.toEqual(after);
  await at.forgetKilled();
  await beginRestore(backup);
  await killRestoring(random);
  const said = await at.startAfterRestore();
  const found = await at.stateNow();
  if (said === 'none') expect([before, after]).toContainEqual(found);
  else expect(found).toEqual(said === 'new' ? after : before);
  await at.scene.signInAgain('chief');
  await at.lookAtBackups();
  return said;
}

test(`killed while it makes and tests backups, and while it restores one, it is whole (times: ${KILLS})`, {
  timeout: MINUTES_BESIDE_MS + KILLS * 60_000,
}, async () => {
  try {
    const random = createRandom(SEED);
    for (let kill = 0; kill < KILLS; kill++) await killBackup(random);
    // Another backup can be made, and passes its test.
    const made = await at.makeBackup('to restore');
    await at.untilTested(made);
    await at.lookAtBackups();
    const after = await at.stateNow();
    const said: Said[] = [];
    for (let kill = 0; kill < KILLS; kill++) said.push(await killRestore(random, made.id, after));
    if (IS_LONG) expect(new Set(said)).toContain('new');
  } catch (cause) {
    throw new Error(`with BACKUP_KILL_SEED=${SEED}: ${String(cause)}\n${at.scene.product.log()}`, { cause });
  }
});
