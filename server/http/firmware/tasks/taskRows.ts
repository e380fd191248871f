// Firmware tasks and their devices as callers, the audit and CSV files have them.
import type { AuditFields } from '../../../../shared/protocol/api/audit.ts';
import type {
  FirmwareDevice,
  FirmwareTask,
  FirmwareTaskContent,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { ListedFirmwareDevice } from '../../../store/firmware/firmwareDevices.ts';
import type { StoredFirmwareTask } from '../../../store/firmware/firmwareTaskRows.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';

export interface TaskView {
  readonly progress: readonly (readonly number[])[];
  readonly mayApprove: boolean;
}

export function toTask(stored: StoredFirmwareTask, { progress, mayApprove }: TaskView): FirmwareTask {
  const { content, memberGroup: _group, editedBy: _by, imageBytes: _bytes, ...rest } = stored;
  return {
    ...rest,
    ...content,
    progress,
    mayApprove,
    nextStageAtMs: wallMs(rest.nextStageAtMs),
    createdAtMs: wallMs(rest.createdAtMs),
    approvedAtMs: wallMs(rest.approvedAtMs),
    startedAtMs: wallMs(rest.startedAtMs),
    endedAtMs: wallMs(rest.endedAtMs),
  };
}

/** Thousands of devices may be named: the audit has their number. */
export function auditFieldsOfTask({ devices, window, ...content }: FirmwareTaskContent): AuditFields {
  return { ...content, count: devices.length, schedule: window };
}

export const TASK_CSV_COLUMNS = [
  'name',
  'image',
  'firmware version',
  'state',
  'reason',
  'stage',
  'created',
  'created by',
  'approved',
  'approved by',
  'started',
  'ended',
] as const;

export function taskCells(task: FirmwareTask): CsvRow {
  return [
    task.name,
    task.imageName,
    task.firmwareVersion,
    task.state,
    task.reason,
    task.stage,
    csvTimestamp(task.createdAtMs),
    task.createdBy,
    csvTimestamp(task.approvedAtMs),
    task.approvedBy,
    csvTimestamp(task.startedAtMs),
    csvTimestamp(task.endedAtMs),
  ];
}

export function toDevice(listed: ListedFirmwareDevice): FirmwareDevice {
  const { incarnation: _, deviceId: deviceid, deadlineMs: _deadline, imageBytes: totalBytes, method, ...rest } = listed;
  return {
    ...rest,
    deviceid,
    totalBytes,
    method: method === '' ? 'packages' : method,
    changedAtMs: wallMs(rest.changedAtMs),
  };
}

export const DEVICE_CSV_COLUMNS = [
  'deviceid',
  'name',
  'plate',
  'model',
  'stage',
  'state',
  'wait',
  'fault',
  'attempts',
  'bytes',
  'version before',
  'version after',
  'changed',
] as const;

export function deviceCells(device: FirmwareDevice): CsvRow {
  return [
    device.deviceid,
    device.name,
    device.plate,
    device.model,
    device.stage,
    device.state,
    device.wait,
    device.fault,
    device.attempts,
    device.sentBytes,
    device.versionBefore,
    device.versionAfter,
    csvTimestamp(device.changedAtMs),
  ];
}
