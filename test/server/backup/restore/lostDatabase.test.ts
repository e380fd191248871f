// The database server goes away in the middle: an error, and the state before it, at once or after the next start.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ArchiveFailure } from '../../../../server/backup/archive/faults.ts';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { buildRestored } from '../../../../server/backup/restore/buildRestored.ts';
import { planRestore } from '../../../../server/backup/restore/planRestore.ts';
import { clearRestores, recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import { DEFAULT_CHOICES } from '../../../../server/backup/restore/restoreChoices.ts';
import {
  type Restored,
  type RestoreFailure,
  restoreInstallation,
} from '../../../../server/backup/restore/restoreInstallation.ts';
import { aRun, aWriteTask } from '../../../support/backup/archives.ts';
import { anInstallation, KEY, leftovers, ruin, type TestInstallation } from '../../../support/backup/installation.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../../../support/postgres/cuttingProxy.ts';
import { postgresAvailable } from '../../../support/postgres/postgres.ts';
import { IS_LONG } from '../../../support/runner/long.ts';

/** Places at which the server is lost, of each thing that is done. */
const PLACES = IS_LONG ? 40 : 1;
const NEVER: Cut = { afterBytes: Number.POSITIVE_INFINITY, isForGood: false };
const run = aRun({ onFault: () => undefined });

/** Once the connection alone is lost, and once the server. */
function places(fromBytes: number, toBytes: number): Cut[] {
  return Array.from({ length: PLACES }, (_, place) => {
    const afterBytes = Math.floor(fromBytes + ((place + 0.5) / PLACES) * (toBytes - fromBytes));
    return [false, true].map((isForGood) => ({ afterBytes, isForGood }));
  }).flat();
}

async function through<Result>(
  { database }: TestInstallation,
  cut: Cut,
  use: (proxy: CuttingProxy) => Promise<Result>,
): Promise<Result> {
  if (database.engine !== 'postgres') throw new Error('only a server can be lost');
  const proxy = await startCuttingProxy(database.url, cut);
  try {
    return await use(proxy);
  } finally {
    await proxy.close();
  }
}

/** What was thrown, or the fault. */
async function failureOf(work: Promise<{ readonly ok: true } | RestoreFailure>): Promise<unknown> {
  const outcome = await work.catch((error: unknown) => error);
  const isDone = typeof outcome === 'object' && outcome !== null && 'ok' in outcome && outcome.ok === true;
  return isDone ? undefined : outcome;
}

interface Reached {
  built: number;
}

function restoreThrough(
  { dataDir, onFault }: TestInstallation,
  { url, passed }: CuttingProxy,
  path: string,
  reached: Reached = { built: 0 },
): Promise<Restored | RestoreFailure> {
  return restoreInstallation(
    { path, key: KEY, choices: DEFAULT_CHOICES },
    {
      ...{ dataDir, onFault, database: { engine: 'postgres', url } },
      prepare: async (): Promise<ArchiveFailure | undefined> => undefined,
      build: async (task) => {
        const built = await buildRestored(task, run);
        reached.built = passed();
        return built;
      },
    },
  );
}

describe.skipIf(!postgresAvailable())('where the database server is lost', () => {
  it('a backup fails, and nothing of it is left', async () => {
    const installation = await anInstallation('postgres');
    const folder = join(installation.dataDir, 'archives');
    await mkdir(folder);
    const write = ({ url }: CuttingProxy, name: string) =>
      failureOf(writeArchive(aWriteTask({ engine: 'postgres', url }, folder, { path: join(folder, name) }), run));
    const total = await through(installation, NEVER, async (proxy) => {
      expect(await write(proxy, 'whole.fgb')).toBeUndefined();
      return proxy.passed();
    });
    for (const cut of places(0, total)) {
      expect(await through(installation, cut, (proxy) => write(proxy, 'lost.fgb'))).toBeInstanceOf(Error);
      expect(await readdir(folder)).toEqual(['whole.fgb']);
    }
  });

  it('a dry run fails', async () => {
    const installation = await anInstallation('postgres');
    const path = await installation.backUp();
    const planThrough = ({ url }: CuttingProxy) =>
      planRestore({ path, key: KEY, database: { engine: 'postgres', url } }, run);
    const total = await through(installation, NEVER, async (proxy) => {
      expect(await failureOf(planThrough(proxy))).toBeUndefined();
      return proxy.passed();
    });
    for (const cut of places(0, total)) {
      expect(await through(installation, cut, (proxy) => failureOf(planThrough(proxy)))).toBeInstanceOf(Error);
    }
  });

  it('a restore fails, and the state before it is there, at once or after the next start', async () => {
    const installation = await anInstallation('postgres');
    const after = await installation.whole();
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.whole();
    const reached: Reached = { built: 0 };
    const total = await through(installation, NEVER, async (proxy) => {
      const restored = await restoreThrough(installation, proxy, path, reached);
      if (!restored.ok) expect.fail(restored.fault);
      const passed = proxy.passed();
      await restored.exchange.undo();
      return passed;
    });
    expect(await installation.whole()).toEqual(before);
    const said = new Set<string>();
    for (const cut of [...places(0, reached.built), ...places(reached.built, total)]) {
      const failure = await through(installation, cut, (proxy) => failureOf(restoreThrough(installation, proxy, path)));
      expect(failure).toBeInstanceOf(Error);
      if (!cut.isForGood) expect(await installation.whole()).toEqual(before);
      const state = await recoverRestore(installation);
      said.add(state);
      // The server may have heard the last word of the exchange.
      expect(await installation.whole()).toEqual(state === 'new' ? after : before);
      await clearRestores(installation);
      expect(await leftovers(installation)).toEqual([]);
      if (state === 'new') await ruin(installation);
    }
    expect(said).toContain('none');
  });

  it('nothing is restored on a server that was never there', async () => {
    const installation = await anInstallation('postgres');
    const path = await installation.backUp();
    const before = await installation.whole();
    const gone: Cut = { afterBytes: 0, isForGood: true };
    const failure = await through(installation, gone, (proxy) => failureOf(restoreThrough(installation, proxy, path)));
    expect(failure).toBeInstanceOf(Error);
    expect(await recoverRestore(installation)).toBe('none');
    await clearRestores(installation);
    expect(await installation.whole()).toEqual(before);
    expect(await leftovers(installation)).toEqual([]);
  });
});
