// Fences: their list, changes, files, preview, and what terminals have of them.
import {
  type ChangedFence,
  FENCE_APPLY_PATH,
  FENCE_CHECK_PATH,
  FENCE_DEVICE_PATH,
  FENCE_EXPORT_PATH,
  FENCE_PREVIEW_PATH,
  FENCES_PATH,
  FENCES_SHOWN_PATH,
  Fence,
  type FenceContent,
  type FenceExportFormat,
  type FenceImportChoice,
  FenceImportPlan,
  FencePreview,
  fenceDevicesPath,
  ShownFences,
  type TerminalAreaRequest,
  TerminalAreas,
} from '../protocol/api/fences/fences.ts';
import { Nothing, type RecordOf } from '../protocol/api/records.ts';
import { type ApiResult, mapResult, requestBytes } from './client.ts';
import { type ListPage, type ListQuery, requestDownloadAddress, requestList } from './list.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

export function getShownFences(signal?: AbortSignal): Promise<ApiResult<RecordOf<typeof ShownFences>>> {
  return requestRecord(FENCES_SHOWN_PATH, ShownFences, { signal });
}

export function listFences(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<Fence>>> {
  return requestList(FENCES_PATH, Fence, query, signal);
}

export function getFence(id: number, signal?: AbortSignal): Promise<ApiResult<Fence>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Fence, { signal });
}

/** A refused outline is named by the field `geometry`. */
export function addFence(content: FenceContent): Promise<ApiResult<Fence>> {
  return requestRecord(FENCES_PATH, Fence, { method: 'POST', body: content });
}

export function changeFence(id: number, fence: ChangedFence): Promise<ApiResult<Fence>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Fence, { method: 'PUT', body: fence });
}

export function removeFence({ id, version }: Pick<Fence, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${FENCES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** A fence as another member has left it, from a refusal. */
export function readFence(fence: unknown): Fence {
  return readRecord(Fence, fence);
}

/** What an import of the file would do; nothing is changed. */
export async function checkFences(file: Blob, choice: FenceImportChoice): Promise<ApiResult<FenceImportPlan>> {
  const result = await requestBytes<unknown>(FENCE_CHECK_PATH, { file, query: { ...choice } });
  return mapResult(result, (data) => readRecord(FenceImportPlan, data));
}

/** Exactly what the plan says. Code of a refusal: `conflict`, when the fences have changed since. */
export async function applyFences(
  file: Blob,
  choice: FenceImportChoice,
  token: string,
): Promise<ApiResult<FenceImportPlan['counts']>> {
  const result = await requestBytes<unknown>(FENCE_APPLY_PATH, { file, query: { ...choice, token } });
  return mapResult(result, (data) => readRecord(FenceImportPlan.properties.counts, data));
}

export function previewFence(fence: FenceContent, signal?: AbortSignal): Promise<ApiResult<FencePreview>> {
  return requestRecord(FENCE_PREVIEW_PATH, FencePreview, { method: 'POST', body: { fence }, signal });
}

export function getFenceDevices(id: number, signal?: AbortSignal): Promise<ApiResult<RecordOf<typeof TerminalAreas>>> {
  return requestRecord(fenceDevicesPath(id), TerminalAreas, { signal });
}

export function sendFenceDevices(request: TerminalAreaRequest): Promise<ApiResult<RecordOf<typeof TerminalAreas>>> {
  return requestRecord(FENCE_DEVICE_PATH, TerminalAreas, { method: 'POST', body: request });
}

/** The address that the file is downloaded from, once. */
export function startFenceExport(format: FenceExportFormat): Promise<ApiResult<string>> {
  return requestDownloadAddress(FENCE_EXPORT_PATH, { format });
}
