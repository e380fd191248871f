// What members may do with a task, and what it is afterwards. Pure.
import type {
  FirmwareApproval,
  FirmwareTaskAct,
  FirmwareTaskState,
} from '../../../shared/protocol/firmware/firmwareWords.ts';

const ACTS: Readonly<
  Record<FirmwareTaskAct, { readonly from: readonly FirmwareTaskState[]; readonly to: FirmwareTaskState }>
> = {
  approve: { from: ['draft'], to: 'approved' },
  start: { from: ['approved'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  stop: { from: ['running', 'paused'], to: 'stopped' },
  retry: { from: ['running', 'paused', 'stopped', 'done'], to: 'running' },
};

/** Undefined where that can't be done with it as it is. */
export function stateAfter(state: FirmwareTaskState, act: FirmwareTaskAct): FirmwareTaskState | undefined {
  const { from, to } = ACTS[act];
  return from.includes(state) ? to : undefined;
}

export function mayApprove(approval: FirmwareApproval, editedBy: readonly number[], user: number): boolean {
  return approval === 'any' || !editedBy.includes(user);
}
