// Fences: those on maps, those that administrators edit, and what terminals have of them.
import {
  FENCE_APPLY_PATH,
  FENCE_CHECK_PATH,
  FENCE_DEVICE_PATH,
  FENCE_EXPORT_PATH,
  FENCES_PATH,
  FENCES_SHOWN_PATH,
  Fence,
  type FenceContent,
  type FenceExportFormat,
  FenceImportCounts,
  FenceImportPlan,
  fenceDevicesPath,
  ShownFences,
  type TerminalAreaRequest,
  TerminalAreas,
} from '../protocol/api/fences/fences.ts';
import { DownloadAddress } from '../protocol/api/lists.ts';
import { Nothing, type RecordOf } from '../protocol/api/records.ts';
import { type ApiResult, mapResult, requestBytes } from './client.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

/** Those of the current member group that are in force now. */
export function loadShownFences(signal?: AbortSignal): Promise<ApiResult<RecordOf<typeof ShownFences>>> {
  return requestRecord(FENCES_SHOWN_PATH, ShownFences, { signal });
}

export function listFences(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<Fence>>> {
  return requestList(FENCES_PATH, Fence, query, signal);
}

export function loadFence(id: number, signal?: AbortSignal): Promise<ApiResult<Fence>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Fence, { signal });
}

/** Field `geometry` of a refusal: a code of FENCE_FAULTS. */
export function addFence(content: FenceContent): Promise<ApiResult<Fence>> {
  return requestRecord(FENCES_PATH, Fence, { method: 'POST', body: content });
}

export function saveFence(
  { id, version }: Pick<Fence, 'id' | 'version'>,
  content: FenceContent,
): Promise<ApiResult<Fence>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Fence, { method: 'PUT', body: { ...content, version } });
}

export function removeFence({ id, version }: Pick<Fence, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** A fence as another member has left it, from a refusal. */
export function readFence(fence: unknown): Fence {
  return readRecord(Fence, fence);
}

/** Of lines that say no width and points that say no radius. */
export interface FenceImportSizes {
  readonly widthMeters?: number | undefined;
  readonly radiusMeters?: number | undefined;
}

/** Field `file` of a refusal says what is wrong with the whole file. */
export async function checkFenceImport(file: Blob, sizes: FenceImportSizes): Promise<ApiResult<FenceImportPlan>> {
  const result = await requestBytes<unknown>(FENCE_CHECK_PATH, { query: { ...sizes }, file });
  return mapResult(result, (data) => readRecord(FenceImportPlan, data));
}

/** Imports what `token` stands for, or nothing. */
export async function applyFenceImport(
  file: Blob,
  sizes: FenceImportSizes,
  token: string,
): Promise<ApiResult<FenceImportCounts>> {
  const result = await requestBytes<unknown>(FENCE_APPLY_PATH, { query: { ...sizes, token }, file });
  return mapResult(result, (data) => readRecord(FenceImportCounts, data));
}

/** Where the file can be downloaded, once. */
export async function exportFences(format: FenceExportFormat): Promise<ApiResult<string>> {
  const result = await requestRecord(FENCE_EXPORT_PATH, DownloadAddress, { method: 'POST', query: { format } });
  return mapResult(result, ({ address }) => address);
}

export function listTerminalAreas(
  fence: number,
  signal?: AbortSignal,
): Promise<ApiResult<RecordOf<typeof TerminalAreas>>> {
  return requestRecord(fenceDevicesPath(fence), TerminalAreas, { signal });
}

/** Gives what terminals have of the fence then. */
export function changeTerminalAreas(request: TerminalAreaRequest): Promise<ApiResult<RecordOf<typeof TerminalAreas>>> {
  return requestRecord(FENCE_DEVICE_PATH, TerminalAreas, { method: 'POST', body: request });
}
