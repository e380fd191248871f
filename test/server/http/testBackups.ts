// Backups whose archives are four bytes: what is in a real one is tested beside it.
import { writeFile } from 'node:fs/promises';
import type { ArchivedStores, ReadOutcome } from '../../../server/backup/parts/archivedStores.ts';
import type { BackupsForCalls } from '../../../server/http/backup/backupDeps.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { aManifest } from '../../support/backup/aManifest.ts';
import { backupScene } from '../../support/backup/backupScene.ts';

const manifest = aManifest();

export interface TestBackups {
  readonly calls: BackupsForCalls;
  /** When nothing runs any more. */
  readonly idle: () => Promise<void>;
  /** How often calls have told of another plan. */
  readonly planChanges: { count: number };
  /** What is written waits for it. */
  readonly gate: { opened: Promise<void> };
  /** What is read from archives; undefined: they can't be read. */
  readonly archived: { stores?: Stores };
}

export function createTestBackups({ backups: store, settings }: Stores, folder: string): TestBackups {
  const planChanges = { count: 0 };
  const gate = { opened: Promise.resolve() };
  const archived: TestBackups['archived'] = {};
  const scene = backupScene({
    ...{ store, settings, folder },
    database: { engine: 'sqlite', file: ':memory:' },
    tryReads: async () => undefined,
    threads: {
      write: async ({ path }, { signal }) => {
        await gate.opened;
        if (signal.aborted) return { ok: false, fault: 'canceled', detail: '' };
        await writeFile(path, 'good');
        return { ok: true, manifest, bytes: 4, sha256: 'ab' };
      },
      load: async () => ({ ok: true, head: {} as never, manifest }),
    },
  });
  const { runner, plans, idle } = scene;
  const planChanged = (): void => void planChanges.count++;
  const archives: ArchivedStores = {
    read: async <Value>(
      _archive: unknown,
      { signal }: { readonly signal: AbortSignal },
      read: (stores: Stores) => Promise<Value>,
    ): Promise<ReadOutcome<Value>> => {
      await gate.opened;
      if (signal.aborted) return { ok: false, fault: 'canceled' };
      return archived.stores === undefined
        ? { ok: false, fault: 'wrong-key' }
        : { ok: true, value: await read(archived.stores) };
    },
  };
  const changed = (): void => undefined;
  const parts = { ...{ runner, plans, folder: scene.folder, archives }, recordingFolder: '/recordings' };
  return { calls: { ...parts, planChanged, changed }, idle, planChanges, gate, archived };
}
