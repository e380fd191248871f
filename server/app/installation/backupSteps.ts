// What makes and tests backups of an installation: of one that a gateway serves, and of one whose gateway is closed.
import type { SecretBox } from '../../auth/secretBox.ts';
import type { KeptFree } from '../../backup/archive/keptFree.ts';
import type { CopyOrders } from '../../backup/copy/copyOrders.ts';
import { sourceFilesOf } from '../../backup/files/sourceFiles.ts';
import { BackupPlans } from '../../backup/plan/backupPlans.ts';
import { createBackupAudit } from '../../backup/runner/backupAudit.ts';
import { BackupFolder } from '../../backup/runner/backupFolder.ts';
import { BackupSteps } from '../../backup/runner/backupSteps.ts';
import { tryOwnReads } from '../../backup/runner/ownReads.ts';
import type { BackupThreads } from '../../backup/thread/backupThread.ts';
import type { Config } from '../../config/variables.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { installationPath } from '../../installation.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { Stores } from '../../store/stores.ts';
import { recordingFolder } from '../recordings.ts';

const MEGABYTE = 1024 * 1024;

export interface BackupStepsParts {
  readonly stores: Pick<Stores, 'backups' | 'settings' | 'audit'>;
  /** Threads open it by themselves. */
  readonly database: DatabaseLocation;
  readonly secretBox: SecretBox;
  readonly threads: BackupThreads;
  readonly folder: BackupFolder;
  readonly copies: CopyOrders;
  /** Left out: no gateway runs. */
  readonly isAlone?: () => Promise<boolean>;
  readonly productVersion: string;
  readonly now: () => number;
  readonly onChanged: () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export interface BackupMaking {
  readonly steps: BackupSteps;
  readonly plans: BackupPlans;
}

export function createBackupSteps(
  config: Config,
  { stores, secretBox: box, ...parts }: BackupStepsParts,
): BackupMaking {
  const { onFault, now } = parts;
  const plans = new BackupPlans({ settings: stores.settings, box, now });
  const steps = new BackupSteps({
    isAlone: async () => true,
    ...parts,
    store: stores.backups,
    ...{ plans, box },
    audit: createBackupAudit({ store: stores.audit, now, onFault }),
    keptFree: keptFree(config),
    sourceFiles: (wanted) => sourceFilesOf(config, wanted),
    tryReads: (file) => tryOwnReads(file, onFault),
    monotonicMs: () => performance.now(),
  });
  return { steps, plans };
}

/** A backup, a test and a restore leave to recordings what is theirs. */
export function keptFree(config: Config): KeptFree {
  return { recordings: recordingFolder(config), floorBytes: config.recordingMinFreeMb * MEGABYTE };
}

export function openBackupFolder(config: Config): BackupFolder {
  return new BackupFolder({
    path: config.backupDir ?? installationPath(config, 'backups'),
    isOwn: config.backupDir === undefined,
    testPath: installationPath(config, 'backupTests'),
  });
}
