// What is done about backups from time to time: one begins when its time has come.
import type { BackupPlans } from '../plan/backupPlans.ts';
import type { BackupRunner } from './backupRunner.ts';

export interface BackupScheduleDeps {
  readonly plans: Pick<BackupPlans, 'takeDue'>;
  readonly runner: Pick<BackupRunner, 'make' | 'isBusy' | 'clearUp'>;
}

/**
 * Looks once. What runs is waited for: a run is taken when it can begin. Should somebody begin one in between, that is the run; why
 * another could not begin is in the list.
 */
export async function runWhenDue({ plans, runner }: BackupScheduleDeps): Promise<void> {
  await runner.clearUp();
  if (runner.isBusy || !(await plans.takeDue())) return;
  await runner.make({ madeBy: '', note: '' });
}
