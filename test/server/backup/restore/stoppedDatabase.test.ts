// A real PostgreSQL server is stopped in the middle of a backup, a dry run or a restore, and started again.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { planRestore } from '../../../../server/backup/restore/planRestore.ts';
import { clearRestores, recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import { machine } from '../../../../server/setup/lookups.mjs';
import { postgres } from '../../../../server/setup/tools.mjs';
import { aRun, aWriteTask } from '../../../support/backup/archives.ts';
import {
  filledInstallation,
  KEY,
  leftovers,
  ruin,
  type TestInstallation,
} from '../../../support/backup/installation.ts';
import { startPostgresCluster } from '../../../support/postgres/postgresCluster.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const STOPS = IS_LONG ? 50 : 2;
const run = aRun({ onFault: () => undefined });
/** Undefined where tests run on a server that others have started: it is not ours to stop. */
const PROGRAMS = postgres.find(machine)?.POSTGRES_BIN;

interface Scene {
  readonly installation: TestInstallation;
  readonly database: { readonly engine: 'postgres'; readonly url: string };
  /** Stops the server so long after the beginning, and starts it again when the work has ended. Gives what the work threw. */
  stoppedAfter(ms: number, work: () => Promise<{ readonly ok: boolean }>): Promise<unknown>;
  close(): Promise<void>;
}

async function openScene(): Promise<Scene> {
  const folder = await createTempFolder();
  const dataDir = folder.path;
  const cluster = await startPostgresCluster(PROGRAMS ?? '');
  const database = { engine: 'postgres', url: cluster.url } as const;
  const installation = await filledInstallation(dataDir, database);
  const stoppedAfter: Scene['stoppedAfter'] = async (ms, work) => {
    const stopped = delay(ms).then(() => cluster.stop());
    const outcome = await work().then(
      ({ ok }) => (ok ? undefined : new Error('a fault of the archive')),
      (error: unknown) => error,
    );
    await stopped;
    await cluster.start();
    return outcome;
  };
  const close = async (): Promise<void> => {
    await cluster.close();
    await folder.remove();
  };
  return { installation, database, stoppedAfter, close };
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}

/** From the beginning nearly to the end of what takes so long. */
const momentOf = (stop: number, totalMs: number): number => (stop / STOPS) * totalMs;

describe.skipIf(PROGRAMS === undefined)('where PostgreSQL is stopped and started again', () => {
  // One server for all: each leaves the installation whole.
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('a backup fails or is whole, and nothing else is left', { timeout: 60_000 + STOPS * 30_000 }, async () => {
    const { installation, database, stoppedAfter } = scene;
    const folder = join(installation.dataDir, 'archives');
    await mkdir(folder, { recursive: true });
    const write = (name: string) => writeArchive(aWriteTask(database, folder, { path: join(folder, name) }), run);
    const totalMs = await msOf(() => write('whole.fgb'));
    const whole = ['whole.fgb'];
    const failures: unknown[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      const failure = await stoppedAfter(momentOf(stop, totalMs), () => write(`${stop}.fgb`));
      if (failure === undefined) whole.push(`${stop}.fgb`);
      else failures.push(failure);
      expect((await readdir(folder)).sort()).toEqual([...whole].sort());
    }
    expect(failures.length).toBeGreaterThan(0);
  });

  it('a dry run fails or is whole, and changes nothing', { timeout: 60_000 + STOPS * 30_000 }, async () => {
    const { installation, database, stoppedAfter } = scene;
    const path = await installation.backUp();
    const plan = () => planRestore({ path, key: KEY, database }, run);
    const totalMs = await msOf(plan);
    const before = await installation.whole();
    let failures = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      if ((await stoppedAfter(momentOf(stop, totalMs), plan)) !== undefined) failures++;
      expect(await installation.whole()).toEqual(before);
      expect(await leftovers(installation)).toEqual([]);
    }
    expect(failures).toBeGreaterThan(0);
  });

  it('a restore leaves the old state or the new one, which the next start finds', {
    timeout: 60_000 + STOPS * 30_000,
  }, async () => {
    const { installation, stoppedAfter } = scene;
    const after = await installation.whole();
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.whole();
    const totalMs = await msOf(async () => {
      const restored = await installation.restore({ path });
      if (!restored.ok) expect.fail(restored.fault);
      await restored.exchange.undo();
    });
    expect(await installation.whole()).toEqual(before);
    let failures = 0;
    for (let stop = 0; stop < STOPS; stop++) {
      const failure = await stoppedAfter(momentOf(stop, totalMs), () => installation.restore({ path }));
      if (failure !== undefined) failures++;
      const state = await recoverRestore(installation);
      const isNew = failure === undefined || state === 'new';
      expect({ stop, state, whole: await installation.whole() }).toEqual({
        stop,
        state,
        whole: isNew ? after : before,
      });
      await clearRestores(installation);
      expect(await leftovers(installation)).toEqual([]);
      if (isNew) await ruin(installation);
    }
    expect(failures).toBeGreaterThan(0);
  });
});
