// Which members a list shows, and in which order.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MemberSort, MemberState } from '../../../shared/protocol/api/accounts.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import { numberColumn, type PageRequest, type SortKey, textColumn, textKey } from '../engine/listPage.ts';
import { userNameKey } from './users.ts';

export interface MemberFilter {
  /** '' for all. */
  readonly search: string;
  readonly role?: number | undefined;
  readonly group?: number | undefined;
  readonly state?: MemberState | undefined;
  readonly hasSecondFactor?: boolean | undefined;
  readonly within?: MembersWithin | undefined;
  /** The moment that `expired` is meant at. */
  readonly at: WallMs;
}

/** Only members of one of these groups, and the one who asks. Where it is left out: all. */
export interface MembersWithin {
  readonly groups: readonly number[];
  readonly self: number;
}

export interface MemberQuery extends PageRequest<MemberSort>, MemberFilter {}

/** Members without a role come before all roles; those who never expire or never came count as 0. */
const ORDER = {
  username: textColumn('app_user.username_key'),
  displayName: textKey(sql`lower(app_user.display_name)`),
  role: textKey(sql`coalesce((select role.name_key from role where role.id = app_user.role), '')`),
  expiresAtMs: numberColumn('app_user.expires_at_ms'),
  lastSignInAtMs: numberColumn('app_user.last_sign_in_at_ms'),
  createdAtMs: numberColumn('app_user.created_at_ms'),
} as const satisfies Record<MemberSort, SortKey>;

export function memberOrder(sort: MemberSort): readonly SortKey[] {
  return [ORDER[sort], numberColumn('app_user.id')];
}

/** The rows of the filter, nothing chosen of them yet. */
export function memberRows(db: StoreDb, filter: MemberFilter) {
  let rows = db.selectFrom('app_user');
  const { search, role, group, hasSecondFactor, within } = filter;
  if (search !== '') rows = rows.where(likeSearch('app_user.search_key', userNameKey(search)));
  if (role !== undefined) rows = role === 0 ? rows.where('role', 'is', null) : rows.where('role', '=', role);
  if (group !== undefined) rows = rows.where('app_user.id', 'in', membersOf(db, [group]));
  if (within !== undefined) rows = rows.where(isWithin(db, 'app_user.id', within));
  if (hasSecondFactor !== undefined) {
    const enrolled = db.selectFrom('second_factor').select('user_id').where('secret', '!=', '');
    rows = rows.where('app_user.id', hasSecondFactor ? 'in' : 'not in', enrolled);
  }
  return inState(rows, filter);
}

const usersOf = (db: StoreDb) => db.selectFrom('app_user');

function inState(rows: ReturnType<typeof usersOf>, { state, at }: MemberFilter): ReturnType<typeof usersOf> {
  if (state === undefined) return rows;
  if (state === 'disabled') return rows.where('disabled', '=', 1);
  const enabled = rows.where('disabled', '=', 0);
  if (state === 'expired') return enabled.where('expires_at_ms', '>', 0).where('expires_at_ms', '<=', at);
  const running = enabled.where((where) => where.or([where('expires_at_ms', '=', 0), where('expires_at_ms', '>', at)]));
  return running.where('password_hash', state === 'invited' ? '=' : '!=', '');
}

/** Whether the column names one of these members. */
export function isWithin(db: StoreDb, column: string, { groups, self }: MembersWithin): RawBuilder<SqlBool> {
  const member = sql.ref(column);
  if (groups.length === 0) return sql<SqlBool>`${member} = ${self}`;
  return sql<SqlBool>`(${member} = ${self} or ${member} in ${membersOf(db, groups)})`;
}

function membersOf(db: StoreDb, groups: readonly number[]) {
  return db.selectFrom('app_user_member_group').select('user_id').where('member_group', 'in', groups);
}
