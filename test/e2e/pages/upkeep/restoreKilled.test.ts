// The gateway as users run it, killed at random moments of a restore that a page has asked it for: while it closes, backs up the present
// state, builds the other one, exchanges both, and starts again.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
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
/** For the backup before. */
const MINUTES_BESIDE_MS = 240_000;
/** RESTORE_KILL_SEED repeats the moments of a run that failed, as far as the machine does. */
const SEED = Number(process.env.RESTORE_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** How long after a moment it may be killed. The start of the restored gateway takes a second or so. */
const LONGEST_MS = { begun: 1_500, building: 1_500, exchanging: 1_500 } as const;
const MOMENT_MS = 30_000;

let at: BackupScene;
beforeAll(async () => {
  at = await startBackupScene();
});
afterAll(() => at?.scene.close());

async function madeBackup(): Promise<Backup> {
  const { id } = await at.makeBackup('to restore');
  const { backups } = await waitFor('a tested backup', at.list, (list) =>
    list.backups.some((each) => each.id === id && each.test.state === 'passed'),
  );
  const made = backups.find((each) => each.id === id);
  if (made === undefined) throw new Error('the backup is gone');
  return made;
}

/** As the page does it: a dry run, then the confirmation. */
async function beginRestore(backup: number): Promise<void> {
  const { call } = at.scene;
  const state = () => call('chief', 'GET', RESTORE_PATH) as Promise<RestoreState>;
  await call('chief', 'POST', RESTORE_PLAN_PATH, { backup, key: '' });
  const { dryRun } = await waitFor('a dry run', state, ({ dryRun: run }) => run !== null && run.state !== 'running');
  const keep = { disabled: true, passwords: true, links: true, history: true };
  const wanted = { plan: dryRun?.plan?.id ?? '', title: SITE_TITLE, password: PASSWORD, keep } satisfies WantedRestore;
  await call('chief', 'POST', RESTORE_PATH, wanted);
}

async function killAtIt(random: Random): Promise<void> {
  const moment = pick(['begun', 'building', 'exchanging', 'exchanging'] as const, random);
  const { product } = at.scene;
  const logged = product.log().length;
  // A moment may be over within milliseconds, and be missed.
  const isOver = () => product.log().slice(logged).includes('Server listening');
  const deadlineMs = performance.now() + MOMENT_MS;
  while (!(await at.isAt(moment)) && !isOver() && performance.now() < deadlineMs) await delay(1);
  expect(performance.now(), `it came to be ${moment}`).toBeLessThan(deadlineMs);
  await delay(random(LONGEST_MS[moment]));
  await product.kill();
}

interface States {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** Begins and ends with a gateway that runs. */
async function killRestore(random: Random, backup: Backup, { before, after }: States): Promise<Said> {
  await at.scene.signInAgain('chief');
  await beginRestore(backup.id);
  await killAtIt(random);
  const said = await at.startAfterRestore();
  const found = await at.stateNow();
  if (said === 'none') expect([before, after]).toContainEqual(found);
  else expect(found).toEqual(said === 'new' ? after : before);
  await at.scene.signInAgain('chief');
  await at.lookAtBackups();
  if (said === 'old' || JSON.stringify(found) === JSON.stringify(before)) return said;
  await at.stop();
  await at.write('now');
  await at.scene.product.startAgain();
  return said;
}

test(`killed while it restores what a page asked for, it is whole (times: ${KILLS})`, {
  timeout: MINUTES_BESIDE_MS + KILLS * 60_000,
}, async () => {
  const { product } = at.scene;
  try {
    await at.write('archived');
    const [, ...rows] = await at.stateNow();
    await product.startAgain();
    const backup = await madeBackup();
    await at.stop();
    await at.write('now');
    const before = await at.stateNow();
    // Keys aren't in a backup that isn't encrypted: they stay.
    const after = [before[0], ...rows];
    expect(before).not.toEqual(after);
    await product.startAgain();
    const random = createRandom(SEED);
    const said: Said[] = [];
    for (let kill = 0; kill < KILLS; kill++) said.push(await killRestore(random, backup, { before, after }));
    if (IS_LONG) expect(new Set(said)).toContain('new');
  } catch (cause) {
    throw new Error(`with RESTORE_KILL_SEED=${SEED}: ${String(cause)}\n${product.log()}`, { cause });
  }
});
