// Begins a backup when its time has come.
import type { BackupPlans } from '../plan/backupPlans.ts';
import type { BackupRunner } from './backupRunner.ts';

export interface BackupScheduleDeps {
  readonly plans: Pick<BackupPlans, 'takeDue'>;
  readonly runner: Pick<BackupRunner, 'make' | 'isBusy' | 'clearUp'>;
}

/**
 * Checks once. If something is running, the due run is only taken when it can begin. If somebody begins a backup in between, that is the
 * run; the list shows why another one could not begin.
 */
export async function runWhenDue({ plans, runner }: BackupScheduleDeps): Promise<void> {
  await runner.clearUp();
  if (runner.isBusy || !(await plans.takeDue())) return;
  await runner.make({ madeBy: '', note: '' });
}
