import { FENCES_SHOWN_PATH, type ShownFence, ShownFences } from '../protocol/api/fences/fences.ts';
import type { ApiResult } from './client.ts';
import { requestRecord } from './requestRecord.ts';

/** Those of the current member group that are in force. For every signed-in member. */
export function getShownFences(signal?: AbortSignal): Promise<ApiResult<readonly ShownFence[]>> {
  return requestRecord(FENCES_SHOWN_PATH, ShownFences, { signal });
}
