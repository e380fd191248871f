import type { Backup, BackupPlan } from '../../../shared/protocol/api/system/backups.ts';
import { ALL_PERMISSIONS, Permission } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { OwnAccess } from '../../auth/ownAccess.ts';
import type { ArchiveKey } from '../../backup/archive/keys.ts';
import type { ArchivedStores } from '../../backup/parts/archivedStores.ts';
import type { BackupPlans } from '../../backup/plan/backupPlans.ts';
import type { KeptPlan } from '../../backup/plan/planText.ts';
import type { RestoresOfHost } from '../../backup/restore/confirmedRestore.ts';
import type { DryRuns } from '../../backup/restore/dryRuns.ts';
import type { BackupFolder } from '../../backup/runner/backupFolder.ts';
import type { BackupRunner } from '../../backup/runner/backupRunner.ts';
import type { UploadsToTake } from '../../backup/runner/uploadedBackup.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Stores } from '../../store/stores.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { PermissionsAccess } from '../kernel/access.ts';
import type { Refusal } from '../kernel/envelope.ts';
import type { ServerInfoReader } from '../system/serverInfo.ts';
import type { PartStores } from './parts/partRecords.ts';

export interface BackupsForCalls {
  readonly runner: Pick<BackupRunner, 'running' | 'make' | 'testAgain' | 'cancel' | 'remove' | 'takeUploaded'>;
  readonly plans: Pick<BackupPlans, 'read' | 'change' | 'nextRunAtMs'>;
  readonly folder: Pick<BackupFolder, 'path' | 'has' | 'pathOf'>;
  /** BACKUP_DIR names the folder. */
  readonly isFolderSet: boolean;
  /** The folder of recordings, which no backup contains. */
  readonly recordingFolder: string;
  readonly planChanged: () => void;
  readonly restores: RestoresForCalls;
  readonly archives: ArchivedStores;
}

export interface RestoresForCalls {
  readonly dryRuns: Pick<DryRuns, 'current' | 'begin' | 'confirmed' | 'drop'>;
  /** The key that a backup was made with. Undefined: it isn't here, or can't be opened. */
  readonly keyOf: (backup: StoredBackup) => ArchiveKey | undefined;
  /** Undefined: this process can't start another gateway. */
  readonly ofHost: RestoresOfHost | undefined;
  /** Hosts of other gateways that work on the same database. */
  readonly otherGateways: () => Promise<readonly string[]>;
}

export interface BackupRoutesDeps {
  readonly stores: Pick<Stores, 'backups' | 'audit' | 'fenceReach'> & PartStores;
  readonly backups: BackupsForCalls;
  readonly bus: Pick<ChangeBus, 'listChanged' | 'recordsChanged'>;
  readonly accounts: { readonly ownAccess: Pick<OwnAccess, 'prove'> };
  readonly uploads: UploadsToTake;
  readonly serverInfo: ServerInfoReader;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

/** Nobody else learns that a backup exists. */
const BACKUP_ACCESS: PermissionsAccess = {
  kind: 'permissions',
  all: [Permission.System, Permission.SystemBackup],
};
export const MAY_BACK_UP = { access: BACKUP_ACCESS } as const;
/** Such a call asks with a body, and changes no record that other screens show. */
export const BACKUP_ACT = { access: BACKUP_ACCESS, changes: [] } as const;

/**
 * A backup holds every account and secret, and a restore replaces them: with fewer permissions, a member could restore an archive
 * in which the member has them all.
 */
export const WHOLE_BACKUP_ACCESS: PermissionsAccess = { kind: 'permissions', all: ALL_PERMISSIONS };
export const WHOLE_BACKUP_ACT = { access: WHOLE_BACKUP_ACCESS, changes: [] } as const;

export const NO_BACKUP: Refusal = {
  status: 404,
  code: 'no-such-backup',
  message: 'Backup not found. Reload to see which there are.',
};
export const BACKUP_BUSY: Refusal = {
  status: 409,
  code: 'backup-running',
  message: 'A backup or a test is running. Wait for it to finish and try again.',
};
export const BACKUP_ENDED: Refusal = {
  status: 409,
  code: 'backup-ended',
  message: 'This has already ended.',
};
export const LAST_TESTED: Refusal = {
  status: 409,
  code: 'last-tested-backup',
  message: 'This is the newest backup that passed its test. Make and test another one first.',
};
export const NO_BACKUP_FOLDER: Refusal = {
  status: 409,
  code: 'backup-folder-missing',
  message: "The backup folder is missing or can't be written to.",
};
export const NO_BACKUP_FILE: Refusal = {
  status: 404,
  code: 'backup-file-missing',
  message: 'The file of this backup is no longer in its folder.',
};
export const BACKUP_KEY_MISSING: Refusal = {
  status: 409,
  code: 'backup-key-missing',
  message: 'There is no passphrase or recovery key that can be used. Set one in the plan.',
};

export const TOO_MANY_BACKUPS: Refusal = {
  status: 409,
  code: 'too-many-backups',
  message: "You've reached the limit of backups made by hand. Delete some that aren't needed first.",
};

export function showBackup(backup: StoredBackup): Backup {
  const { sealedKey: _, detail: __, history, files, test, ...shown } = backup;
  return { ...shown, history: [...history], files: [...files], test: { ...test } };
}

export async function showPlan(
  { version, values, sealedKey }: KeptPlan,
  { plans }: BackupsForCalls,
): Promise<BackupPlan> {
  return { version, ...values, hasKey: sealedKey !== '', nextRunAtMs: wallMs(await plans.nextRunAtMs()) };
}
