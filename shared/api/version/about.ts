// What runs.
import { ABOUT_PATH, About } from '../../protocol/api/system/about.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

export function getAbout(signal?: AbortSignal): Promise<ApiResult<About>> {
  return requestRecord(ABOUT_PATH, About, { signal });
}
