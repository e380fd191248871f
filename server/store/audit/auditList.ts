// The audit as people read it: filtered, sorted, a page at a time.
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { AuditFields, AuditRow, AuditSort } from '../../../shared/protocol/api/audit.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  mapRows,
  numberColumn,
  type PageRequest,
  type SortKey,
  textColumn,
} from '../engine/listPage.ts';
import type { Schema } from '../schema.ts';
import type { AuditTable } from './tables.ts';

export interface AuditQuery extends PageRequest<AuditSort> {
  /** In who, what, to what, from where and in the values. */
  readonly search: string;
  readonly actor?: string | undefined;
  /** `session` or `session.begin`. */
  readonly action?: string | undefined;
  /** Half open. */
  readonly fromMs?: WallMs | undefined;
  readonly toMs?: WallMs | undefined;
  /** Only what was done by members of a group, and by those only who belong to no group but the reader's own. */
  readonly byMembersOf?: { readonly group: number; readonly readersGroups: readonly number[] } | undefined;
}

const ORDER = {
  at: numberColumn('audit.at_ms'),
  actor: textColumn('audit.actor'),
  action: textColumn('audit.action'),
  target: textColumn('audit.target'),
  address: textColumn('audit.address'),
} as const satisfies Record<AuditSort, SortKey>;

export async function pageOfAudit(db: StoreDb, query: AuditQuery): Promise<FoundPage<AuditRow> | undefined> {
  const found = db
    .selectFrom('audit')
    .selectAll()
    .where((is) => matches(is, query));
  const keys = [ORDER[query.sort], numberColumn('audit.id')];
  return mapRows(await listPage(db, { rows: found, keys }, query), toAuditRow);
}

type Is = ExpressionBuilder<Schema, 'audit'>;

const SEARCHED = ['actor', 'action', 'target', 'address', 'detail', 'before_change', 'after_change'] as const;

function matches(is: Is, query: AuditQuery) {
  const { search, actor, action, fromMs, toMs, byMembersOf } = query;
  const found = searchIn(SEARCHED, search);
  return is.and([
    ...(found === undefined ? [] : [found]),
    ...(actor === undefined ? [] : [is('actor', '=', actor)]),
    ...(action === undefined ? [] : [isAction(is, action)]),
    ...(fromMs === undefined ? [] : [is('at_ms', '>=', fromMs)]),
    ...(toMs === undefined ? [] : [is('at_ms', '<', toMs)]),
    ...(byMembersOf === undefined ? [] : [isByMembersOf(is, byMembersOf)]),
  ]);
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

export function toAuditRow(row: Selectable<AuditTable>): AuditRow {
  const { id, at_ms, actor, action, target, address, detail, before_change, after_change } = row;
  return {
    id,
    atMs: wallMs(at_ms),
    actor,
    action,
    target,
    address,
    detail: JSON.parse(detail) as AuditFields,
    before: fieldsOf(before_change),
    after: fieldsOf(after_change),
  };
}

function fieldsOf(text: string): AuditFields | null {
  return text === '' ? null : (JSON.parse(text) as AuditFields);
}
