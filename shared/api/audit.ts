import { AUDIT_PATH, type AuditFields, type AuditRow } from '../protocol/api/audit.ts';
import type { ApiResult } from './client.ts';
import { asFields, numberOf, textOf } from './fields.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';

/** Filters: `actor`, `action`, `from` and `to` (milliseconds since the epoch, half open). */
export function listAudit(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<AuditRow>>> {
  return requestList(AUDIT_PATH, query, readEntry, signal);
}

function readEntry(row: unknown): AuditRow | undefined {
  const { id, atMs, actor, action, target, address, detail, before, after } = asFields(row);
  if (typeof id !== 'number') return undefined;
  return {
    id,
    atMs: numberOf(atMs),
    actor: textOf(actor),
    action: textOf(action),
    target: textOf(target),
    address: textOf(address),
    detail: asFields(detail),
    before: fieldsOrNull(before),
    after: fieldsOrNull(after),
  };
}

function fieldsOrNull(value: unknown): AuditFields | null {
  return typeof value === 'object' && value !== null ? asFields(value) : null;
}
