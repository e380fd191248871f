// Backups of a running gateway.
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SecretBox } from '../../auth/secretBox.ts';
import { createArchivedStores } from '../../backup/parts/archivedStores.ts';
import { backupFacts } from '../../backup/plan/backupFacts.ts';
import type { RestoresOfHost } from '../../backup/restore/confirmedRestore.ts';
import { DryRuns } from '../../backup/restore/dryRuns.ts';
import { BackupRunner } from '../../backup/runner/backupRunner.ts';
import { runWhenDue } from '../../backup/runner/backupSchedule.ts';
import { type BackupThreads, createBackupThreads } from '../../backup/thread/backupThread.ts';
import { type ChangeBus, listTeller } from '../../bus/changeBus.ts';
import type { Config } from '../../config/variables.ts';
import { Rounds } from '../../faults/rounds.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { HealthSource } from '../../health/healthSource.ts';
import { createBackupSource } from '../../health/sources/backupSource.ts';
import type { BackupsForCalls } from '../../http/backup/backupDeps.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { readVersion } from '../../process/projectRoot.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { Stores } from '../../store/stores.ts';
import { recordingFolder } from '../recordings.ts';
import { startBackupCopies } from './backupCopies.ts';
import { createBackupSteps, keptFree, openBackupFolder } from './backupSteps.ts';

export interface BackupDeps {
  readonly stores: Stores;
  /** Threads open the database by themselves. */
  readonly database: DatabaseLocation;
  readonly secretBox: SecretBox;
  readonly bus: Pick<ChangeBus, 'listChanged'>;
  /** Left out: threads that wait for all other work of the machine. */
  readonly backupThreads?: BackupThreads | undefined;
  /** The restores of the process; left out: it can't start another gateway. */
  readonly restores?: RestoresOfHost | undefined;
  /** Hosts of other gateways that work on the same database. */
  readonly otherGateways: () => Promise<readonly string[]>;
  /** The folder with package.json. */
  readonly projectRoot: string;
  readonly now: () => number;
  readonly onLimit: OnLimit;
  readonly log: Log;
  readonly closing: Closing;
}

export interface Backups {
  readonly forCalls: BackupsForCalls;
  readonly health: HealthSource;
}

/** Plans are set in minutes. */
const LOOK_MS = 20_000;

export async function startBackups(config: Config, deps: BackupDeps): Promise<Backups> {
  const { stores, secretBox, bus, now, log, closing } = deps;
  const listChanged = listTeller(bus, 'backups');
  const changed = (): void => listChanged();
  const onFault = (error: Error): void => log.error({ err: error }, 'backup');
  const threads = deps.backupThreads ?? createBackupThreads(onFault, 'an open gateway');
  const folder = openBackupFolder(config);
  // The embedded database has only one gateway, even where one that was killed a moment ago still seems to exist.
  const isAlone = async () => deps.database.engine === 'sqlite' || (await deps.otherGateways()).length === 0;
  const copies = await startBackupCopies(config, { ...deps, folder, isAlone });
  const { steps, plans } = createBackupSteps(config, {
    ...{
      stores,
      secretBox,
      threads,
      folder,
      copies,
      isAlone,
      database: deps.database,
      now,
      onFault,
      onLimit: deps.onLimit,
    },
    productVersion: readVersion(deps.projectRoot),
    onChanged: changed,
  });
  const runner = new BackupRunner(steps);
  await runner.start();
  closing.add('backups', () => runner.close());
  const schedule = new Rounds({
    work: () => runWhenDue({ plans, runner }),
    failure: 'the schedule of backups',
    intervalMs: LOOK_MS,
    delayMs: 0,
    runAfter: createRunAfter(onFault),
    onFault,
  });
  closing.add('schedule of backups', () => schedule.close());
  const dryRuns = new DryRuns({
    plan: ({ backup, key }, options) =>
      threads.plan({ path: folder.pathOf(backup.file), key, database: deps.database }, options),
    createId: () => randomBytes(16).toString('hex'),
    onChanged: changed,
    onFault,
  });
  closing.add('dry run of a restore', () => dryRuns.close());
  const facts = async () => ({
    ...backupFacts(await stores.backups.list(), await plans.read(), now()),
    isOnDataDisk: await isOnDataDisk(config, deps.database, folder.path),
  });
  return {
    forCalls: {
      ...{ runner, plans, folder, recordingFolder: recordingFolder(config) },
      isFolderSet: config.backupDir !== undefined,
      restores: {
        ...{ dryRuns, ofHost: deps.restores, otherGateways: deps.otherGateways },
        keyOf: (backup) => steps.keyOf(backup),
      },
      archives: createArchivedStores({ threads, folder, keptFree: keptFree(config), box: secretBox, onFault }),
      planChanged: () => {
        schedule.workSoon();
        changed();
      },
    },
    health: createBackupSource(facts, now),
  };
}

/** False also where it isn't known here: for a database on another machine, and for a folder that is missing. */
async function isOnDataDisk({ dataDir }: Config, { engine }: DatabaseLocation, folder: string): Promise<boolean> {
  if (engine !== 'sqlite') return false;
  const [data, backups] = await Promise.all([deviceOf(dataDir), deviceOf(folder)]);
  return data !== undefined && data === backups;
}

async function deviceOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.dev;
}
