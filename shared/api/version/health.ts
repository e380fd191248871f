import { HEALTH_PATH, Health } from '../../protocol/api/system/health.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

/** Refused without `system` and `gmsversion`. */
export function getHealth(signal?: AbortSignal): Promise<ApiResult<Health>> {
  return requestRecord(HEALTH_PATH, Health, { signal });
}
