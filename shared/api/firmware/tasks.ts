// Firmware tasks, their devices, and the restart of one terminal.
import {
  type ChangedFirmwareTask,
  FIRMWARE_DEVICES_PATH,
  FIRMWARE_REACH_PATH,
  FIRMWARE_RESTART_PATH,
  FIRMWARE_STEPS_PATH,
  FIRMWARE_TASKS_PATH,
  type FirmwareAct,
  FirmwareDevice,
  FirmwareReach,
  FirmwareSteps,
  type FirmwareTargets,
  FirmwareTask,
  type FirmwareTaskContent,
  firmwareActPath,
  type RestartRequest,
} from '../../protocol/api/firmware/tasks.ts';
import { Nothing } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

export function listFirmwareTasks(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<FirmwareTask>>> {
  return requestList(FIRMWARE_TASKS_PATH, FirmwareTask, query, signal);
}

export function getFirmwareTask(id: number, signal?: AbortSignal): Promise<ApiResult<FirmwareTask>> {
  return requestRecord(`${FIRMWARE_TASKS_PATH}/${id}`, FirmwareTask, { signal });
}

export function addFirmwareTask(task: FirmwareTaskContent): Promise<ApiResult<FirmwareTask>> {
  return requestRecord(FIRMWARE_TASKS_PATH, FirmwareTask, { method: 'POST', body: task });
}

/** Until it has started; an approved task is a draft again. */
export function changeFirmwareTask(id: number, task: ChangedFirmwareTask): Promise<ApiResult<FirmwareTask>> {
  return requestRecord(`${FIRMWARE_TASKS_PATH}/${id}`, FirmwareTask, { method: 'PUT', body: task });
}

/** Not while it runs or is paused. */
export function removeFirmwareTask({ id, version }: Pick<FirmwareTask, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${FIRMWARE_TASKS_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

export function actOnFirmwareTask(id: number, act: FirmwareAct): Promise<ApiResult<FirmwareTask>> {
  return requestRecord(firmwareActPath(id), FirmwareTask, { method: 'POST', body: act });
}

/** A task as another member has left it, from a refusal. */
export function readFirmwareTask(task: unknown): FirmwareTask {
  return readRecord(FirmwareTask, task);
}

/** What a task with these targets would do now. */
export function getFirmwareReach(targets: FirmwareTargets, signal?: AbortSignal): Promise<ApiResult<FirmwareReach>> {
  return requestRecord(FIRMWARE_REACH_PATH, FirmwareReach, { method: 'POST', body: targets, signal });
}

export function listFirmwareDevices(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<FirmwareDevice>>> {
  return requestList(FIRMWARE_DEVICES_PATH, FirmwareDevice, query, signal);
}

/** `row` is the id of the task's device. */
export function getFirmwareSteps(row: number, signal?: AbortSignal): Promise<ApiResult<FirmwareSteps>> {
  return requestRecord(FIRMWARE_STEPS_PATH, FirmwareSteps, { query: { device: row }, signal });
}

export function restartTerminal(request: RestartRequest): Promise<ApiResult<unknown>> {
  return requestRecord(FIRMWARE_RESTART_PATH, Nothing, { method: 'POST', body: request });
}
