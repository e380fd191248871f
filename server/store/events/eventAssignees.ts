// Members whom events can be assigned to: those who may work with events, and see the devices.
import { type SqlBool, sql } from 'kysely';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { permissionsOfRole } from '../accounts/roles.ts';
import { userNameKey } from '../accounts/users.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';

interface EventAssigneeQuery {
  /** Members of this group, and the caller. */
  readonly memberGroup: number;
  readonly self: number;
  readonly atMs: number;
}

interface FoundAssignee {
  readonly userId: number;
  readonly username: string;
  readonly displayName: string;
  /** Whether events of the gateway itself can be assigned too. */
  readonly seesGateway: boolean;
}

export interface EventAssigneeStore {
  /** The members with the text in their names, ordered by name. */
  list(query: EventAssigneeQuery, search: string, limit: number): Promise<FoundAssignee[]>;
  find(query: EventAssigneeQuery, username: string): Promise<FoundAssignee | undefined>;
}

export function createEventAssigneeStore(reading: StoreDb): EventAssigneeStore {
  return {
    list: async (query, search, limit) => {
      const all = assignees(reading, query).orderBy('app_user.username_key').limit(limit);
      const key = userNameKey(search.trim());
      return (await (key === '' ? all : all.where(likeSearch('app_user.search_key', key))).execute()).map(toAssignee);
    },
    find: async (query, username) => {
      const named = assignees(reading, query).where('app_user.username_key', '=', userNameKey(username));
      const row = await named.executeTakeFirst();
      return row === undefined ? undefined : toAssignee(row);
    },
  };
}

function assignees(db: StoreDb, { memberGroup, self, atMs }: EventAssigneeQuery) {
  const members = db.selectFrom('app_user_member_group').select('user_id').where('member_group', '=', memberGroup);
  return db
    .selectFrom('app_user')
    .leftJoin('role', 'role.id', 'app_user.role')
    .select(['app_user.id', 'app_user.username', 'app_user.display_name', 'app_user.permissions as own_permissions'])
    .select(['role.id as role', 'role.built_in', 'role.permissions'])
    .where(({ eb, or }) => or([eb('app_user.id', '=', self), eb('app_user.id', 'in', members)]))
    .where('app_user.disabled', '=', 0)
    .where(({ eb, or }) => or([eb('app_user.expires_at_ms', '=', 0), eb('app_user.expires_at_ms', '>', atMs)]))
    .where(mayWorkWithEvents);
}

/** The names of permissions stand in quotes in their list. */
const mayWorkWithEvents = sql<SqlBool>`(role.built_in = 'administrator'
  or ${likeSearch(sql`coalesce(role.permissions, app_user.permissions)`, JSON.stringify(Permission.Event))})`;

type AssigneeRow = Awaited<ReturnType<ReturnType<typeof assignees>['execute']>>[number];

function toAssignee(row: AssigneeRow): FoundAssignee {
  const { built_in, permissions } = row;
  const held =
    built_in === null || permissions === null
      ? (JSON.parse(row.own_permissions) as readonly string[])
      : permissionsOfRole({ built_in, permissions });
  return {
    userId: row.id,
    username: row.username,
    displayName: row.display_name,
    seesGateway: held.includes(Permission.System),
  };
}
