// Backups whose archives are four bytes: the content of real ones is tested beside them.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ArchiveFailure } from '../../../server/backup/archive/faults.ts';
import { surveyArchive } from '../../../server/backup/archive/surveyArchive.ts';
import type { ArchivedStores, ReadOutcome, RowsOf } from '../../../server/backup/parts/archivedStores.ts';
import type { ConfirmedRestore, RestoresOfHost } from '../../../server/backup/restore/confirmedRestore.ts';
import { DryRuns } from '../../../server/backup/restore/dryRuns.ts';
import type { RestorePlan } from '../../../server/backup/restore/planRestore.ts';
import { createBackupAudit } from '../../../server/backup/runner/backupAudit.ts';
import type { BackupsForCalls } from '../../../server/http/backup/backupDeps.ts';
import type { Stores } from '../../../server/store/stores.ts';
import type { LastRestore } from '../../../shared/protocol/api/system/restore.ts';
import { aLoaded, aManifest } from '../../support/backup/aManifest.ts';
import { aRestorePlan } from '../../support/backup/aRestorePlan.ts';
import { backupScene } from '../../support/backup/backupScene.ts';

const manifest = aManifest();

export interface TestBackups {
  readonly calls: BackupsForCalls;
  /** Settles when nothing runs any longer. */
  readonly idle: () => Promise<void>;
  /** How often calls have reported another plan. */
  readonly planChanges: { count: number };
  /** A gate that writing, reading and restoring wait for. */
  readonly gate: { opened: Promise<void> };
  readonly restores: TestRestores;
  /** The stores that are read from archives; undefined: they can't be read. */
  readonly archived: { stores?: Stores };
}

interface TestRestores {
  /** The outcome of dry runs. */
  outcome: RestorePlan | ArchiveFailure;
  /** Restores that began, once their callers were answered. */
  readonly begun: ConfirmedRestore[];
  last: LastRestore | undefined;
  otherGateways: readonly string[];
}

export function createTestBackups({ backups: store, settings, audit }: Stores, folder: string): TestBackups {
  const planChanges = { count: 0 };
  const gate = { opened: Promise.resolve() };
  const archived: TestBackups['archived'] = {};
  const onFault = (error: Error): never => {
    throw error;
  };
  const given: Parameters<typeof backupScene>[0] = {
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
      load: async () => aLoaded(),
      survey: async (task, options) => {
        await gate.opened;
        return surveyArchive(task, options);
      },
    },
  };
  const scene = backupScene(given, { audit: createBackupAudit({ store: audit, now: Date.now, onFault }) });
  const { runner, plans, idle } = scene;
  const planChanged = (): void => void planChanges.count++;
  const restores: TestRestores = { outcome: aRestorePlan(), begun: [], last: undefined, otherGateways: [] };
  const dryRuns = new DryRuns({
    plan: async (_, { signal }) => {
      await gate.opened;
      return signal.aborted ? { ok: false, fault: 'canceled', detail: '' } : restores.outcome;
    },
    createId: () => `plan-${randomBytes(4).toString('hex')}`,
    onChanged: () => undefined,
    onFault,
  });
  const ofHost: RestoresOfHost = {
    get last() {
      return restores.last;
    },
    begin: (restore, answered) => {
      void answered.then(() => restores.begun.push(restore));
      return true;
    },
  };
  const archives: ArchivedStores = {
    read: async <Value>(
      _archive: unknown,
      { signal }: { readonly signal: AbortSignal },
      read: (stores: Stores, rowsOf: RowsOf) => Promise<Value>,
    ): Promise<ReadOutcome<Value>> => {
      await gate.opened;
      if (signal.aborted) return { ok: false, fault: 'canceled' };
      return archived.stores === undefined
        ? { ok: false, fault: 'wrong-key' }
        : { ok: true, value: await read(archived.stores, () => 1) };
    },
  };
  const calls: BackupsForCalls = {
    ...{ runner, plans, folder: scene.folder, recordingFolder: '/recordings', planChanged, isFolderSet: false },
    archives,
    restores: {
      ...{ dryRuns, ofHost, keyOf: (backup) => scene.steps.keyOf(backup) },
      otherGateways: async () => restores.otherGateways,
    },
  };
  return { calls, idle, planChanges, gate, restores, archived };
}
