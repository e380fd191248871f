// The calls of the device group page. They are ours alone, so an answer is taken as the contract says it is.
import type {
  CommonRecording,
  ConnectionTest,
  DeviceDetail,
  DeviceFields,
  DeviceRecording,
  DeviceRow,
  GroupNode,
  GroupTree,
  ImportEncoding,
  ImportPlan,
  RecordingFields,
  WaitingTerminal,
} from '../../protocol/api/devices.ts';
import { type ApiResult, requestBytes, requestJson } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';

export const DEVICES_PATH = '/api/devicegroup/devices';
const GROUPS_PATH = '/api/devicegroup/groups';
const TERMINALS_PATH = '/api/devicegroup/terminals';
const IMPORT_PATH = '/api/devicegroup/import';
const RECORDING_PATH = '/api/devicegroup/recording';

export function getGroupTree(signal?: AbortSignal): Promise<ApiResult<GroupTree>> {
  return requestJson(GROUPS_PATH, { signal });
}

export interface GroupPlace {
  readonly name: string;
  readonly parent: number | null;
  /** The group that it comes before; null or left out: the last one. */
  readonly before?: number | null;
}

export function addGroup(place: GroupPlace): Promise<ApiResult<GroupNode>> {
  return requestJson(GROUPS_PATH, { method: 'POST', body: place });
}

export function changeGroup(id: number, version: number, place: GroupPlace): Promise<ApiResult<GroupNode>> {
  return requestJson(`${GROUPS_PATH}/${id}`, { method: 'PUT', body: { ...place, version } });
}

/** `moveTo`: where its devices go; without it it must have none. */
export function removeGroup({ id, version }: GroupNode, moveTo?: number): Promise<ApiResult<{ moved: number }>> {
  return requestJson(`${GROUPS_PATH}/${id}`, { method: 'DELETE', query: { version, moveto: moveTo } });
}

export function claimGroup(id: number): Promise<ApiResult<unknown>> {
  return requestJson(`${GROUPS_PATH}/${id}/claim`, { method: 'POST' });
}

export function listDevices(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<DeviceRow>>> {
  return requestList(DEVICES_PATH, query, readRow, signal);
}

function readRow(row: unknown): DeviceRow | undefined {
  return typeof row === 'object' && row !== null && 'deviceid' in row ? (row as DeviceRow) : undefined;
}

export function getDevice(deviceid: string, signal?: AbortSignal): Promise<ApiResult<DeviceDetail>> {
  return requestJson(devicePath(deviceid), { signal });
}

export type NewDevice = DeviceFields & { readonly deviceid: string; readonly recording?: DeviceRecording };

export function addDevice(device: NewDevice): Promise<ApiResult<DeviceDetail>> {
  return requestJson(DEVICES_PATH, { method: 'POST', body: device });
}

export type EditedDevice = DeviceFields & { readonly version: number; readonly recording: DeviceRecording };

export function changeDevice(deviceid: string, device: EditedDevice): Promise<ApiResult<DeviceDetail>> {
  return requestJson(devicePath(deviceid), { method: 'PUT', body: device });
}

export function removeDevice(
  { deviceid, version }: Pick<DeviceRow, 'deviceid' | 'version'>,
  recordings: 'keep' | 'delete',
): Promise<ApiResult<unknown>> {
  return requestJson(devicePath(deviceid), { method: 'DELETE', query: { version, recordings } });
}

export function moveDevices(deviceids: readonly string[], group: number): Promise<ApiResult<{ moved: number }>> {
  return requestJson(`${DEVICES_PATH}/move`, { method: 'POST', body: { deviceids, group } });
}

export function testDevice(deviceid: string): Promise<ApiResult<ConnectionTest>> {
  return requestJson(`${devicePath(deviceid)}/test`, { method: 'POST' });
}

/** What holds for devices without a recording of their own. */
export function getCommonRecording(signal?: AbortSignal): Promise<ApiResult<CommonRecording>> {
  return requestJson(RECORDING_PATH, { signal });
}

export function changeCommonRecording(policy: RecordingFields, version: number): Promise<ApiResult<CommonRecording>> {
  return requestJson(RECORDING_PATH, { method: 'PUT', body: { policy, version } });
}

export function listTerminals(signal?: AbortSignal): Promise<ApiResult<readonly WaitingTerminal[]>> {
  return requestJson(TERMINALS_PATH, { signal });
}

/** What was shown of the terminal: it is let in as this and as nothing else. */
type Shown = Pick<WaitingTerminal, 'terminal' | 'manufacturer' | 'terminalId'>;

export function adoptTerminal(
  terminal: Shown,
  deviceid: string,
  device: DeviceFields,
): Promise<ApiResult<DeviceDetail>> {
  return requestJson(`${TERMINALS_PATH}/adopt`, { method: 'POST', body: { ...shown(terminal), deviceid, device } });
}

export function approveTerminal(terminal: Shown & Pick<WaitingTerminal, 'address'>): Promise<ApiResult<unknown>> {
  const body = { ...shown(terminal), address: terminal.address };
  return requestJson(`${TERMINALS_PATH}/approve`, { method: 'POST', body });
}

export function refuseTerminal(terminal: Shown): Promise<ApiResult<unknown>> {
  return requestJson(`${TERMINALS_PATH}/refuse`, { method: 'POST', body: shown(terminal) });
}

function shown({ terminal, manufacturer, terminalId }: Shown): Shown {
  return { terminal, manufacturer, terminalId };
}

export interface ImportChoice {
  readonly encoding?: ImportEncoding | undefined;
  /** Where new devices go that name no group. */
  readonly group?: number | undefined;
}

export function checkImport(file: Blob, choice: ImportChoice): Promise<ApiResult<ImportPlan>> {
  return requestBytes(`${IMPORT_PATH}/check`, { query: { ...choice }, file });
}

/** Imports what `token` stands for, or nothing. */
export function applyImport(file: Blob, choice: ImportChoice, token: string): Promise<ApiResult<ImportPlan['counts']>> {
  return requestBytes(`${IMPORT_PATH}/apply`, { query: { ...choice, token }, file });
}

function devicePath(deviceid: string): string {
  return `${DEVICES_PATH}/${encodeURIComponent(deviceid)}`;
}
