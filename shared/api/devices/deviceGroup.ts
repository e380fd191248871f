// The calls of the device group page.

import { ConnectionTest } from '../../protocol/api/connectionTest.ts';
import {
  DEVICE_GROUPS_PATH,
  type EditedGroup,
  GroupNode,
  type GroupPlace,
  GroupTree,
} from '../../protocol/api/deviceGroups.ts';
import { IMPORT_PATH, ImportCounts, ImportPlan } from '../../protocol/api/deviceImport.ts';
import { COMMON_RECORDING_PATH, CommonRecording, type RecordingPolicy } from '../../protocol/api/deviceRecording.ts';
import {
  DEVICES_PATH,
  DeviceDetail,
  type DeviceFields,
  type DeviceMove,
  type DeviceRemoval,
  DeviceRow,
  type EditedDevice,
  MovedDevices,
  type NewDevice,
} from '../../protocol/api/devices.ts';
import type { ImportEncoding } from '../../protocol/api/imports/importEncodings.ts';
import { Nothing, type RecordOf } from '../../protocol/api/records.ts';
import {
  type ShownTerminal,
  TERMINALS_PATH,
  type TerminalAdoption,
  type TerminalApproval,
  type WaitingTerminal,
  WaitingTerminals,
} from '../../protocol/api/terminals.ts';
import { type ApiResult, mapResult, requestBytes } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

type Done = RecordOf<typeof Nothing>;
type Moved = RecordOf<typeof MovedDevices>;

export function getGroupTree(signal?: AbortSignal): Promise<ApiResult<GroupTree>> {
  return requestRecord(DEVICE_GROUPS_PATH, GroupTree, { signal });
}

export function addGroup(body: GroupPlace): Promise<ApiResult<GroupNode>> {
  return requestRecord(DEVICE_GROUPS_PATH, GroupNode, { method: 'POST', body });
}

export function changeGroup(id: number, version: number, place: GroupPlace): Promise<ApiResult<GroupNode>> {
  const body: EditedGroup = { ...place, version };
  return requestRecord(`${DEVICE_GROUPS_PATH}/${id}`, GroupNode, { method: 'PUT', body });
}

/** `moveTo`: where its devices go; without it it must have none. */
export function removeGroup({ id, version }: GroupNode, moveTo?: number): Promise<ApiResult<Moved>> {
  const query = { version, moveto: moveTo };
  return requestRecord(`${DEVICE_GROUPS_PATH}/${id}`, MovedDevices, { method: 'DELETE', query });
}

export function claimGroup(id: number): Promise<ApiResult<Done>> {
  return requestRecord(`${DEVICE_GROUPS_PATH}/${id}/claim`, Nothing, { method: 'POST' });
}

/** Filters: those of DeviceFilters. */
export function listDevices(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<DeviceRow>>> {
  return requestList(DEVICES_PATH, DeviceRow, query, signal);
}

export function getDevice(deviceid: string, signal?: AbortSignal): Promise<ApiResult<DeviceDetail>> {
  return requestRecord(devicePath(deviceid), DeviceDetail, { signal });
}

export function addDevice(body: NewDevice): Promise<ApiResult<DeviceDetail>> {
  return requestRecord(DEVICES_PATH, DeviceDetail, { method: 'POST', body });
}

export function changeDevice(deviceid: string, body: EditedDevice): Promise<ApiResult<DeviceDetail>> {
  return requestRecord(devicePath(deviceid), DeviceDetail, { method: 'PUT', body });
}

export function removeDevice(
  { deviceid, version }: Pick<DeviceRow, 'deviceid' | 'version'>,
  recordings: DeviceRemoval['recordings'],
): Promise<ApiResult<Done>> {
  return requestRecord(devicePath(deviceid), Nothing, { method: 'DELETE', query: { version, recordings } });
}

export function moveDevices(deviceids: readonly string[], group: number): Promise<ApiResult<Moved>> {
  const body: DeviceMove = { deviceids, group };
  return requestRecord(`${DEVICES_PATH}/move`, MovedDevices, { method: 'POST', body });
}

export function testDevice(deviceid: string): Promise<ApiResult<ConnectionTest>> {
  return requestRecord(`${devicePath(deviceid)}/test`, ConnectionTest, { method: 'POST' });
}

/** What holds for devices without a recording of their own. */
export function getCommonRecording(signal?: AbortSignal): Promise<ApiResult<CommonRecording>> {
  return requestRecord(COMMON_RECORDING_PATH, CommonRecording, { signal });
}

export function changeCommonRecording(policy: RecordingPolicy, version: number): Promise<ApiResult<CommonRecording>> {
  const body: CommonRecording = { policy, version };
  return requestRecord(COMMON_RECORDING_PATH, CommonRecording, { method: 'PUT', body });
}

export function listTerminals(signal?: AbortSignal): Promise<ApiResult<readonly WaitingTerminal[]>> {
  return requestRecord(TERMINALS_PATH, WaitingTerminals, { signal });
}

export function adoptTerminal(
  terminal: ShownTerminal,
  deviceid: string,
  device: DeviceFields,
): Promise<ApiResult<DeviceDetail>> {
  const body: TerminalAdoption = { ...shown(terminal), deviceid, device };
  return requestRecord(`${TERMINALS_PATH}/adopt`, DeviceDetail, { method: 'POST', body });
}

export function approveTerminal(terminal: Required<TerminalApproval>): Promise<ApiResult<Done>> {
  const body: TerminalApproval = { ...shown(terminal), address: terminal.address };
  return requestRecord(`${TERMINALS_PATH}/approve`, Nothing, { method: 'POST', body });
}

export function refuseTerminal(terminal: ShownTerminal): Promise<ApiResult<Done>> {
  return requestRecord(`${TERMINALS_PATH}/refuse`, Nothing, { method: 'POST', body: shown(terminal) });
}

function shown({ terminal, manufacturer, terminalId }: ShownTerminal): ShownTerminal {
  return { terminal, manufacturer, terminalId };
}

export interface ImportChoice {
  readonly encoding?: ImportEncoding | undefined;
  /** Where new devices go that name no group. */
  readonly group?: number | undefined;
}

export async function checkImport(file: Blob, choice: ImportChoice): Promise<ApiResult<ImportPlan>> {
  const result = await requestBytes<unknown>(`${IMPORT_PATH}/check`, { query: { ...choice }, file });
  return mapResult(result, (data) => readRecord(ImportPlan, data));
}

/** Imports what `token` stands for, or nothing. */
export async function applyImport(file: Blob, choice: ImportChoice, token: string): Promise<ApiResult<ImportCounts>> {
  const result = await requestBytes<unknown>(`${IMPORT_PATH}/apply`, { query: { ...choice, token }, file });
  return mapResult(result, (data) => readRecord(ImportCounts, data));
}

function devicePath(deviceid: string): string {
  return `${DEVICES_PATH}/${encodeURIComponent(deviceid)}`;
}
