// What can be done with a task in its state. The gateway decides; this is what the page offers. Pure.
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { retriesOf } from '../tasks/stageCounts.ts';

/** An approved one is a draft again afterwards. */
export function mayEdit({ state }: Pick<FirmwareTask, 'state'>): boolean {
  return state === 'draft' || state === 'approved';
}

export function mayDelete({ state }: Pick<FirmwareTask, 'state'>): boolean {
  return state !== 'running' && state !== 'paused';
}

export function actsOf(task: FirmwareTask): readonly FirmwareTaskAct[] {
  const retry: readonly FirmwareTaskAct[] = retriesOf(task) > 0 ? ['retry'] : [];
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
