// Whether a task can be stored as it was sent. Pure.
import type { FirmwareTaskContent } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { areStages } from '../../../firmware/rules/stages.ts';

export interface TaskChoices {
  readonly deviceGroups: ReadonlySet<number>;
  readonly devices: ReadonlySet<string>;
  /** The devices that the task would have now, out of `devices`. */
  readonly targets: ReadonlySet<string>;
  readonly hasImage: boolean;
}

/** A code for each field that is wrong. */
export function faultsOfTask(task: FirmwareTaskContent, choices: TaskChoices): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (task.name.trim() === '') faults.name = 'required';
  if (!choices.hasImage) faults.image = 'unknown';
  if (!task.deviceGroups.every((group) => choices.deviceGroups.has(group))) faults.deviceGroups = 'unknown';
  if (!task.devices.every((device) => choices.devices.has(device))) faults.devices = 'unknown';
  // A canary device that isn't a target would be left out, and the task would have no first stage to fail in.
  if (!task.canaries.every((device) => choices.targets.has(device))) faults.canaries = 'not-allowed';
  if (!task.canaries.every((device) => choices.devices.has(device))) faults.canaries = 'unknown';
  if (!isDay(task.fromDay)) faults.fromDay = 'out-of-range';
  if (!isDay(task.toDay)) faults.toDay = 'out-of-range';
  if (task.fromDay !== '' && task.toDay !== '' && task.toDay < task.fromDay) faults.toDay = 'out-of-range';
  if (!areStages(task.stages)) faults.stages = 'out-of-range';
  return faults;
}

function isDay(day: string): boolean {
  if (day === '') return true;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(day);
}
