// Backups of a gateway that runs.
import type { SecretBox } from '../../auth/secretBox.ts';
import { sourceFilesOf } from '../../backup/files/sourceFiles.ts';
import { createArchivedStores } from '../../backup/parts/archivedStores.ts';
import { backupFacts } from '../../backup/plan/backupFacts.ts';
import { BackupPlans } from '../../backup/plan/backupPlans.ts';
import { BackupFolder } from '../../backup/runner/backupFolder.ts';
import { BackupRunner } from '../../backup/runner/backupRunner.ts';
import { runWhenDue } from '../../backup/runner/backupSchedule.ts';
import { BackupSteps } from '../../backup/runner/backupSteps.ts';
import { tryOwnReads } from '../../backup/runner/ownReads.ts';
import { createBackupThreads } from '../../backup/thread/backupThread.ts';
import type { Config } from '../../config/variables.ts';
import { Rounds } from '../../faults/rounds.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { HealthSource } from '../../health/healthSource.ts';
import { createBackupSource } from '../../health/sources/backupSource.ts';
import type { BackupsForCalls } from '../../http/backup/backupDeps.ts';
import { installationPath } from '../../installation.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Closing } from '../../process/closing.ts';
import type { Log } from '../../process/log.ts';
import { readVersion } from '../../process/projectRoot.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { Stores } from '../../store/stores.ts';
import type { Fleet } from '../fleet.ts';
import { recordingFolder } from '../recordings.ts';

export interface BackupDeps {
  readonly stores: Stores;
  /** Threads open it by themselves. */
  readonly database: DatabaseLocation;
  readonly secretBox: SecretBox;
  readonly fleet: Pick<Fleet, 'backupsChanged'>;
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

/** Minutes are what a plan is set by. */
const LOOK_MS = 20_000;

export async function startBackups(config: Config, deps: BackupDeps): Promise<Backups> {
  const { stores, secretBox: box, fleet, now, log, closing } = deps;
  const onFault = (error: Error): void => log.error({ err: error }, 'backup');
  const plans = new BackupPlans({ settings: stores.settings, box, now });
  const folder = folderOf(config);
  const threads = createBackupThreads(onFault);
  const runner = new BackupRunner(
    new BackupSteps({
      store: stores.backups,
      plans,
      box,
      threads,
      folder,
      database: deps.database,
      productVersion: readVersion(deps.projectRoot),
      sourceFiles: (wanted) => sourceFilesOf(config, wanted),
      tryReads: (file) => tryOwnReads(file, onFault),
      now,
      monotonicMs: () => performance.now(),
      onChanged: fleet.backupsChanged,
      onLimit: deps.onLimit,
      onFault,
    }),
  );
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
  const facts = async () => backupFacts(await stores.backups.list(), await plans.read());
  return {
    forCalls: {
      ...{ runner, plans, folder, recordingFolder: recordingFolder(config) },
      archives: createArchivedStores({ threads, folder, box, onFault }),
      changed: fleet.backupsChanged,
      planChanged: () => {
        schedule.workSoon();
        fleet.backupsChanged();
      },
    },
    health: createBackupSource(facts, now),
  };
}

function folderOf(config: Config): BackupFolder {
  return new BackupFolder({
    path: config.backupDir ?? installationPath(config, 'backups'),
    isOwn: config.backupDir === undefined,
    testPath: installationPath(config, 'backupTests'),
  });
}
