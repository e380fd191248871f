// How far each stage of a task has come. Pure.
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import {
  FIRMWARE_DEVICE_STATES,
  type FirmwareDeviceState,
} from '../../../../shared/protocol/firmware/firmwareWords.ts';

/** The parts that a bar distinguishes: eleven colors are too many. */
export const STAGE_PARTS = ['done', 'active', 'waiting', 'failed', 'ended'] as const;
export type StagePart = (typeof STAGE_PARTS)[number];

const PART_OF_STATE: Readonly<Record<FirmwareDeviceState, StagePart>> = {
  queued: 'waiting',
  waiting: 'waiting',
  sending: 'active',
  sent: 'active',
  rebooting: 'active',
  verifying: 'active',
  done: 'done',
  failed: 'failed',
  refused: 'failed',
  canceled: 'ended',
  skipped: 'ended',
};

export function partOfState(state: FirmwareDeviceState): StagePart {
  return PART_OF_STATE[state];
}

export interface StageCount {
  /** From 0. */
  readonly at: number;
  readonly isCanary: boolean;
  /** Percentage of the devices that are reached with this stage; 0 for canary devices. */
  readonly percent: number;
  readonly counts: Readonly<Record<StagePart, number>>;
  /** 0 until the stage has begun. */
  readonly total: number;
  readonly isCurrent: boolean;
}

export function stageCounts(
  task: Pick<FirmwareTask, 'canaries' | 'stages' | 'progress' | 'stage' | 'state'>,
): readonly StageCount[] {
  const { canaries, stages, progress, stage, state } = task;
  const hasCanaries = canaries.length > 0;
  const percents = hasCanaries ? [0, ...stages] : stages;
  const hasBegun = state === 'running' || state === 'paused';
  return percents.map((percent, at) => {
    const counts = countsOf(progress[at] ?? []);
    return {
      at,
      isCanary: hasCanaries && at === 0,
      percent,
      counts,
      total: STAGE_PARTS.reduce((sum, part) => sum + counts[part], 0),
      isCurrent: hasBegun && at === stage,
    };
  });
}

function countsOf(byState: readonly number[]): Readonly<Record<StagePart, number>> {
  const counts: Record<StagePart, number> = { done: 0, active: 0, waiting: 0, failed: 0, ended: 0 };
  for (const [at, state] of FIRMWARE_DEVICE_STATES.entries()) counts[PART_OF_STATE[state]] += byState[at] ?? 0;
  return counts;
}

/** The states that the gateway retries: all that have ended without the image, except for devices that it was never meant for. */
const RETRIED: readonly FirmwareDeviceState[] = ['failed', 'refused', 'canceled'];

/** How many devices a retry would queue again. */
export function retriesOf({ progress }: Pick<FirmwareTask, 'progress'>): number {
  const places = RETRIED.map((state) => FIRMWARE_DEVICE_STATES.indexOf(state));
  return progress.reduce((sum, byState) => sum + places.reduce((some, at) => some + (byState[at] ?? 0), 0), 0);
}
