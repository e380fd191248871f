// Which members a list shows, and in which order.
import { sql } from 'kysely';
import type { MEMBER_SORTS } from '../../../shared/protocol/api/accounts.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import { userNameKey } from './users.ts';

export type MemberState = 'active' | 'invited' | 'disabled' | 'expired';

export type MemberSort = (typeof MEMBER_SORTS)[number];

export interface MemberFilter {
  readonly search?: string | undefined;
  readonly role?: number | undefined;
  readonly group?: number | undefined;
  readonly state?: MemberState | undefined;
  readonly hasSecondFactor?: boolean | undefined;
  /** Only who belongs to one of these groups, and the one who asks; undefined: everyone. */
  readonly within?: { readonly groups: readonly number[]; readonly self: number } | undefined;
  /** The moment that `expired` is meant at. */
  readonly at: WallMs;
}

export interface MemberQuery extends MemberFilter {
  readonly offset: number;
  readonly limit: number;
  readonly sort: MemberSort;
  readonly descending: boolean;
}

/** Members without a role come before all roles; those who never expire or never came count as 0. */
export const ORDER = {
  username: 'app_user.username_key',
  displayName: sql`lower(app_user.display_name)`,
  role: sql`coalesce((select role.name_key from role where role.id = app_user.role), '')`,
  expiresAtMs: 'app_user.expires_at_ms',
  lastSignInAtMs: 'app_user.last_sign_in_at_ms',
  createdAtMs: 'app_user.created_at_ms',
} as const;

/** The rows of the filter, nothing chosen of them yet. */
export function memberRows(db: StoreDb, filter: MemberFilter) {
  let rows = db.selectFrom('app_user');
  const { search, role, group, hasSecondFactor, within } = filter;
  if (search !== undefined) rows = rows.where(likeSearch('app_user.search_key', userNameKey(search)));
  if (role !== undefined) rows = role === 0 ? rows.where('role', 'is', null) : rows.where('role', '=', role);
  if (group !== undefined) rows = rows.where('app_user.id', 'in', peopleOf(db, [group]));
  if (within !== undefined) {
    const { groups, self } = within;
    rows = rows.where((where) =>
      where.or([
        where('app_user.id', '=', self),
        ...(groups.length > 0 ? [where('app_user.id', 'in', peopleOf(db, groups))] : []),
      ]),
    );
  }
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

function peopleOf(db: StoreDb, groups: readonly number[]) {
  return db.selectFrom('app_user_member_group').select('user_id').where('member_group', 'in', groups);
}
