// Data usage of devices, data plans and SIMs.
import {
  type LiftRequest,
  NETFLOW_DEVICES_PATH,
  NETFLOW_FILE_PATH,
  NETFLOW_HOURS_PATH,
  NETFLOW_LIFT_PATH,
  NETFLOW_USE_PATH,
  NetflowDevice,
  type NetflowFile,
  NetflowHours,
  type NetflowStep,
  NetflowUse,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimContent,
  SimPlan,
  type SimPlanContent,
} from '../../protocol/api/netflow/netflow.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestDownloadAddress, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { recordClient } from '../recordClient.ts';
import { requestRecord } from '../requestRecord.ts';

export interface NetflowUseQuestion {
  /** Half open. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: NetflowStep;
  readonly timeZone: string;
  /** Serial number of a device group; undefined for all. */
  readonly group?: string | undefined;
  readonly deviceid?: string | undefined;
}

export function getNetflowUse(question: NetflowUseQuestion, signal?: AbortSignal): Promise<ApiResult<NetflowUse>> {
  return requestRecord(NETFLOW_USE_PATH, NetflowUse, { query: { ...question }, signal });
}

export function listNetflowDevices(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<NetflowDevice>>> {
  return requestList(NETFLOW_DEVICES_PATH, NetflowDevice, query, signal);
}

export interface NetflowHoursQuestion {
  readonly deviceid: string;
  /** `YYYY-MM-DD` in the time zone. */
  readonly day: string;
  readonly timeZone: string;
}

export function getNetflowHours(
  question: NetflowHoursQuestion,
  signal?: AbortSignal,
): Promise<ApiResult<NetflowHours>> {
  return requestRecord(NETFLOW_HOURS_PATH, NetflowHours, { query: { ...question }, signal });
}

/** The address that the file is downloaded from, once. */
export function startNetflowFile(file: NetflowFile): Promise<ApiResult<string>> {
  return requestDownloadAddress(NETFLOW_FILE_PATH, file);
}

export function saveSim(sim: SimContent): Promise<ApiResult<NetflowDevice>> {
  return requestRecord(SIM_PATH, NetflowDevice, { method: 'PUT', body: sim });
}

/** A device's usage as another member has left it, from a refusal. */
export function readNetflowDevice(device: unknown): NetflowDevice {
  return readRecord(NetflowDevice, device);
}

export function liftPlan(request: LiftRequest): Promise<ApiResult<NetflowDevice>> {
  return requestRecord(NETFLOW_LIFT_PATH, NetflowDevice, { method: 'POST', body: request });
}

export const simPlans = recordClient<SimPlanContent, typeof SimPlan>(SIM_PLANS_PATH, SimPlan);
