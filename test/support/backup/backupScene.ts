// A runner of backups in a folder of its own, on a clock of its own.
import { join } from 'node:path';
import { createKey, createSecretBox } from '../../../server/auth/secretBox.ts';
import { BackupPlans } from '../../../server/backup/plan/backupPlans.ts';
import { FIRST_PLAN } from '../../../server/backup/plan/planText.ts';
import { createBackupAudit } from '../../../server/backup/runner/backupAudit.ts';
import { BackupFolder } from '../../../server/backup/runner/backupFolder.ts';
import { BackupRunner } from '../../../server/backup/runner/backupRunner.ts';
import { BackupSteps, type BackupStepsDeps } from '../../../server/backup/runner/backupSteps.ts';
import type { AuditEntry } from '../../../server/store/audit/auditEntry.ts';
import type { SettingStore } from '../../../server/store/system/settings.ts';
import type { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';

/** Two o'clock. */
const BACKUP_TIME = Date.UTC(2026, 10, 27, 2);

type Given = Pick<BackupStepsDeps, 'store' | 'threads' | 'database' | 'tryReads'> & {
  readonly settings: Pick<SettingStore, 'get' | 'set' | 'setOnce' | 'replace'>;
  /** Exists. */
  readonly folder: string;
};

export function backupScene({ settings, folder: root, ...given }: Given, changes: Partial<BackupStepsDeps> = {}) {
  const clock = { ms: BACKUP_TIME };
  const box = createSecretBox(createKey());
  const plans = new BackupPlans({ settings, box, now: () => clock.ms });
  const options = { path: join(root, 'backups'), isOwn: true, testPath: join(root, 'backup-tests') };
  const folder = new BackupFolder(options);
  const faults: string[] = [];
  const audited: AuditEntry[] = [];
  const waiting: (() => void)[] = [];
  const onChanged = (): void => {
    if (runner.running === undefined) for (const resolve of waiting.splice(0)) resolve();
  };
  const listening = { now: () => clock.ms, onFault: (error: Error) => void faults.push(error.message) };
  const deps: BackupStepsDeps = {
    ...given,
    ...{ plans, box, folder, productVersion: '9.8.7', onChanged },
    copies: { want: async () => undefined, forget: async () => undefined },
    audit: createBackupAudit({ store: { add: async (entry) => void audited.push(entry) }, ...listening }),
    isAlone: async () => true,
    keptFree: { recordings: join(root, 'recordings'), floorBytes: 0 },
    sourceFiles: async () => [],
    monotonicMs: () => clock.ms,
    onLimit: () => undefined,
    ...listening,
    ...changes,
  };
  const steps = new BackupSteps(deps);
  const runner = new BackupRunner(steps);
  return {
    ...{ clock, box, plans, folder, options, faults, audited, runner, steps, deps },
    /** When nothing runs any more. */
    idle: () =>
      runner.running === undefined ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)),
    plan: async (values: Partial<BackupPlanValues>, passphrase: string | null = null) => {
      const { version } = await plans.read();
      return plans.change({ version, values: { ...FIRST_PLAN.values, ...values }, passphrase, newRecoveryKey: false });
    },
  };
}
