// What can be done with a task in its state. The gateway decides; this is what the page offers. Pure.
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { failuresOf, stageCounts } from '../tasks/stageCounts.ts';

export function actsOf(task: FirmwareTask): readonly FirmwareTaskAct[] {
  const retry: readonly FirmwareTaskAct[] = failuresOf(stageCounts(task)) > 0 ? ['retry'] : [];
  switch (task.state) {
    case 'draft':
      return task.mayApprove ? ['approve'] : [];
    case 'approved':
      return ['start'];
    case 'running':
      return ['pause', 'stop', ...retry];
    case 'paused':
      return ['resume', 'stop', ...retry];
    case 'stopped':
    case 'done':
      return retry;
  }
}
