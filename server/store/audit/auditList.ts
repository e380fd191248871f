// The audit as people read it: filtered, sorted, a page at a time.
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { AuditSort } from '../../../shared/protocol/api/audit.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import type { AuditRecord } from './auditEntry.ts';
import type { AuditTable } from './tables.ts';

export interface AuditQuery {
  /** In who, what, to what, from where and in the values. */
  readonly search: string;
  readonly actor?: string | undefined;
  /** `session` or `session.begin`. */
  readonly action?: string | undefined;
  /** Half open. */
  readonly fromMs?: WallMs | undefined;
  readonly toMs?: WallMs | undefined;
  /** Only entries up to this one: a list that is read page by page is not shifted by what is added meanwhile. */
  readonly upToId?: number | undefined;
  /** Only what was done by members of a group, and by those only who belong to no group but the reader's own. */
  readonly byMembersOf?: { readonly group: number; readonly readersGroups: readonly number[] } | undefined;
  readonly sort: AuditSort;
  readonly descending: boolean;
}

// Entries are added in the order of time, so the key is the order of time too.
const ORDER = {
  at: sql.ref('audit.id'),
  actor: sql.ref('audit.actor'),
  action: sql.ref('audit.action'),
  target: sql.ref('audit.target'),
  address: sql.ref('audit.address'),
} as const satisfies Record<AuditSort, unknown>;

export async function countAudit(db: StoreDb, query: AuditQuery): Promise<number> {
  const counted = db.selectFrom('audit').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.where((is) => matches(is, query)).executeTakeFirstOrThrow()).count;
}

export async function pageOfAudit(
  db: StoreDb,
  query: AuditQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<AuditRecord[]> {
  const direction = query.descending ? 'desc' : 'asc';
  const found = db
    .selectFrom('audit')
    .selectAll()
    .where((is) => matches(is, query));
  const ordered = found.orderBy(ORDER[query.sort], direction).orderBy('audit.id', direction);
  return (await ordered.limit(limit).offset(offset).execute()).map(toAuditRecord);
}

type Is = ExpressionBuilder<Schema, 'audit'>;

function matches(is: Is, query: AuditQuery) {
  const { search, actor, action, fromMs, toMs, upToId, byMembersOf } = query;
  return is.and([
    ...(search.trim() === '' ? [] : [hasText(is, search)]),
    ...(actor === undefined ? [] : [is('actor', '=', actor)]),
    ...(action === undefined ? [] : [isAction(is, action)]),
    ...(fromMs === undefined ? [] : [is('at_ms', '>=', fromMs)]),
    ...(toMs === undefined ? [] : [is('at_ms', '<', toMs)]),
    ...(upToId === undefined ? [] : [is('audit.id', '<=', upToId)]),
    ...(byMembersOf === undefined ? [] : [isByMembersOf(is, byMembersOf)]),
  ]);
}

function hasText(is: Is, search: string) {
  const pattern = `%${search
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;
  const columns = ['actor', 'action', 'target', 'address', 'detail', 'before_change', 'after_change'] as const;
  return is.or(columns.map((column) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`));
}

/** A subject covers its events. */
function isAction(is: Is, action: string) {
  return action.includes('.') ? is('action', '=', action) : is('action', 'like', `${action}.%`);
}

function isByMembersOf(is: Is, { group, readersGroups }: NonNullable<AuditQuery['byMembersOf']>) {
  const members = is
    .selectFrom('app_user')
    .innerJoin('app_user_member_group as belongs', 'belongs.user_id', 'app_user.id')
    .select('app_user.username');
  return is.and([
    is('actor', 'in', members.where('belongs.member_group', '=', group)),
    is('actor', 'not in', members.where('belongs.member_group', 'not in', [...readersGroups, group])),
  ]);
}

export function toAuditRecord(row: Selectable<AuditTable>): AuditRecord {
  const { id, at_ms, actor, action, target, address, detail, before_change, after_change } = row;
  const fields = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>;
  return {
    id,
    atMs: wallMs(at_ms),
    actor,
    action,
    target,
    address,
    detail: fields(detail),
    ...(before_change === '' ? {} : { before: fields(before_change) }),
    ...(after_change === '' ? {} : { after: fields(after_change) }),
  };
}
