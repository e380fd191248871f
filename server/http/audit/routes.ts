import type { FastifyInstance } from 'fastify';
import { AUDIT_PATH, AUDIT_SORTS, AuditFilters, AuditRow } from '../../../shared/protocol/api/audit.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import { callerOf } from '../kernel/caller.ts';
import { type CallerScope, scopeOf } from '../kernel/callerScope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';

export interface AuditRoutesDeps {
  readonly stores: { readonly audit: Pick<AuditStore, 'page'> };
}

/** `GET /api/audit/entries` and the same as CSV. */
export async function registerAuditRoutes(app: FastifyInstance, { stores }: AuditRoutesDeps): Promise<void> {
  listRoutes(app, {
    path: AUDIT_PATH,
    summary: 'Who did what to what, when, from where',
    access: { kind: 'permissions', all: [Permission.Audit] },
    row: AuditRow,
    sorts: AUDIT_SORTS,
    order: { sort: 'at', descending: true },
    filters: AuditFilters,
    scope: (request) => scopeOf(callerOf(request)),
    load: ({ filters: { actor, action, from, to }, ...query }, scope) =>
      stores.audit.page({
        ...query,
        actor,
        action,
        fromMs: from === undefined ? undefined : wallMs(Number(from)),
        toMs: to === undefined ? undefined : wallMs(Number(to)),
        byMembersOf: readersScope(scope),
      }),
    csv: { fileName: 'audit.csv', columns: CSV_COLUMNS, cells: () => cellsOf },
  });
}

/** Without `system` a reader sees what people did who have nothing to do with groups that are not the reader's own. */
function readersScope({ isAdministrator, memberGroup, memberGroups }: CallerScope) {
  return isAdministrator ? undefined : { group: memberGroup, readersGroups: memberGroups };
}

const CSV_COLUMNS = ['id', 'time', 'who', 'what', 'to what', 'from where', 'detail', 'before', 'after'];

function cellsOf({ id, atMs, actor, action, target, address, detail, before, after }: AuditRow): CsvRow {
  const texts = [detail, before, after].map((fields) =>
    fields === null || Object.keys(fields).length === 0 ? '' : JSON.stringify(fields),
  );
  return [String(id), csvTimestamp(atMs), actor, action, target, address, ...texts];
}
