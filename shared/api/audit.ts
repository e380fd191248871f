import { AUDIT_PATH, AuditRow } from '../protocol/api/audit.ts';
import type { ApiResult } from './client.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';

/** Filters: `actor`, `action`, `from` and `to` (milliseconds since the epoch, half open). */
export function listAudit(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<AuditRow>>> {
  return requestList(AUDIT_PATH, AuditRow, query, signal);
}
