// Deletes the backups that the plan no longer keeps.
import type { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';
import { hasPassed, type StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { CopyOrders } from '../copy/copyOrders.ts';
import { backupsToDelete } from '../plan/keptBackups.ts';
import type { BackupAudit } from './backupAudit.ts';
import type { BackupFolder } from './backupFolder.ts';

/** Number of unsuccessful backups that stay in the list: their rows show why they failed. */
const KEPT_FAILURES = 20;

export interface RetentionDeps {
  readonly store: Pick<BackupStore, 'list' | 'remove' | 'removeOldFailures'>;
  readonly folder: Pick<BackupFolder, 'isUsable' | 'remove'>;
  readonly copies: Pick<CopyOrders, 'forget'>;
  readonly audit: Pick<BackupAudit, 'expired'>;
}

/** Nothing is deleted while the folder is unavailable: the rows would be gone and the files stay. */
export async function applyRetention(
  { store, folder, copies, audit }: RetentionDeps,
  plan: BackupPlanValues,
): Promise<void> {
  await store.removeOldFailures(KEPT_FAILURES);
  if (!(await folder.isUsable())) return;
  const backups = (await store.list()).filter(({ state, isUploaded }) => state === 'done' && !isUploaded);
  const planned = backups.map((backup) => ({ ...backup, isTested: hasPassed(backup.test) }));
  const rules = { days: plan.keepDays, weeks: plan.keepWeeks, months: plan.keepMonths };
  const gone = new Set(backupsToDelete(planned, rules, plan.timeZone));
  for (const backup of backups.filter(({ id }) => gone.has(id))) {
    await copies.forget(backup);
    await folder.remove(backup.file);
    await store.remove(backup.id);
    await audit.expired(backup);
  }
}

/** Whether it is the newest tested backup, which may be the last that can be restored. */
export function isNewestTested(backups: readonly StoredBackup[], id: number): boolean {
  const own = backups.filter(({ state, isUploaded }) => state === 'done' && !isUploaded);
  const tested = own.filter(({ test }) => hasPassed(test));
  const [newest] = tested.toSorted((one, other) => other.createdAtMs - one.createdAtMs || other.id - one.id);
  return newest?.id === id;
}
