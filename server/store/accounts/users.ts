// The only module that knows the `app_user` table.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Member, MemberContent } from '../../../shared/protocol/api/accounts.ts';
import type { ProfileContent } from '../../../shared/protocol/api/ownAccount.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { endInvitations } from './invitations.ts';
import { permissionsOfRole } from './roles.ts';
import type { UserTable } from './tables.ts';

type AsMember = Omit<MemberContent, 'role' | 'groups' | 'expiresAtMs'>;

export interface User extends Required<AsMember>, Pick<Member, 'id' | 'username' | 'expiresAtMs' | 'createdAtMs'> {
  /** '' for somebody who was invited and has not chosen one yet. */
  readonly passwordHash: string;
  /** The role's, or the user's own list where there is no role. */
  readonly permissions: readonly string[];
  /** Undefined: the permissions are the user's own list. */
  readonly role: number | undefined;
  /** The role does not let anybody in by the password alone. */
  readonly secondFactorRequired: boolean;
  /** The member group that the next session begins with. */
  readonly memberGroup: number | undefined;
  readonly passwordChangedAtMs: WallMs;
}

/** `permissions` is the user's own list; a role overrides it. */
export type NewUser = Pick<User, 'username' | 'passwordHash' | 'permissions'> &
  Partial<Pick<User, keyof AsMember | 'role' | 'expiresAtMs' | 'memberGroup'>>;

export interface UserStore {
  count(): Promise<number>;
  find(id: number): Promise<User | undefined>;
  /** Upper and lower case and the ways to compose a letter are one name. */
  findByName(username: string): Promise<User | undefined>;
  list(): Promise<User[]>;
  /** Gives the new user's id. Throws when the name is taken. */
  insert(user: NewUser, at: WallMs): Promise<number>;
  /** This and the next two end an invitation of the user: it was issued for the account as it was. */
  setPasswordHash(id: number, passwordHash: string, at: WallMs): Promise<void>;
  /** A list of the user's own, in place of a role. */
  setPermissions(id: number, permissions: readonly string[]): Promise<void>;
  setDisabled(id: number, disabled: boolean): Promise<void>;
  setProfile(id: number, profile: ProfileContent): Promise<void>;
  noteSignIn(id: number, at: WallMs): Promise<void>;
  setMemberGroup(id: number, memberGroup: number | undefined): Promise<void>;
  remove(id: number): Promise<boolean>;
}

/** What two spellings of one name have in common. */
export function userNameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

export function createUserStore(db: StoreDb): UserStore {
  const change = async (id: number, columns: Change): Promise<void> => {
    await db.updateTable('app_user').set(columns).where('id', '=', id).execute();
  };
  const users = () =>
    db
      .selectFrom('app_user')
      .leftJoin('role', 'role.id', 'app_user.role')
      .selectAll('app_user')
      .select(['role.built_in', 'role.permissions as role_permissions', 'role.second_factor_required']);
  return {
    count: async () => {
      const { fn } = db;
      const row = await db.selectFrom('app_user').select(fn.countAll<number>().as('users')).executeTakeFirstOrThrow();
      return row.users;
    },
    find: async (id) => {
      const row = await users().where('app_user.id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toUser(row);
    },
    findByName: async (username) => {
      const row = await users().where('username_key', '=', userNameKey(username)).executeTakeFirst();
      return row === undefined ? undefined : toUser(row);
    },
    list: async () => (await users().orderBy('username_key').execute()).map(toUser),
    insert: (user, at) => insertUser(db, user, at),
    setPasswordHash: (id, hash, at) => changeAccess(db, id, { password_hash: hash, password_changed_at_ms: at }),
    setPermissions: (id, permissions) => {
      return changeAccess(db, id, { permissions: JSON.stringify(permissions), role: null });
    },
    setProfile: (id, profile) => setProfile(db, id, profile),
    noteSignIn: (id, at) => change(id, { last_sign_in_at_ms: at }),
    setDisabled: (id, disabled) => changeAccess(db, id, { disabled: disabled ? 1 : 0 }),
    setMemberGroup: (id, memberGroup) => change(id, { member_group: memberGroup ?? null }),
    remove: async (id) => {
      const result = await db.deleteFrom('app_user').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

type Change = Omit<Updateable<UserTable>, 'id'>;

function changeAccess(db: StoreDb, id: number, columns: Change): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await transaction.updateTable('app_user').set(columns).where('id', '=', id).execute();
    await endInvitations(transaction, [id]);
  });
}

async function insertUser(db: StoreDb, user: NewUser, at: WallMs): Promise<number> {
  const row = await db.insertInto('app_user').values(toColumns(user, at)).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** A new user's row. */
export function toColumns(user: NewUser, at: WallMs): Insertable<UserTable> {
  return {
    username: user.username,
    username_key: userNameKey(user.username),
    password_hash: user.passwordHash,
    permissions: JSON.stringify(user.permissions),
    role: user.role ?? null,
    display_name: user.displayName ?? '',
    search_key: searchKey(user.username, user.displayName ?? ''),
    time_zone: user.timeZone ?? '',
    email: user.email ?? '',
    phone: user.phone ?? '',
    expires_at_ms: user.expiresAtMs ?? 0,
    disabled: user.disabled === true ? 1 : 0,
    wall_monitor_allowed: user.wallMonitorAllowed === true ? 1 : 0,
    member_group: user.memberGroup ?? null,
    language: user.language ?? '',
    created_at_ms: at,
    password_changed_at_ms: at,
  };
}

/** What a search looks into. */
export function searchKey(username: string, displayName: string): string {
  return `${userNameKey(username)}\n${userNameKey(displayName)}`;
}

// The version moves too: a form that an administrator has open must not put the old names back.
async function setProfile(db: StoreDb, id: number, { displayName, language, timeZone }: ProfileContent): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const columns = ['username', 'version'] as const;
    const row = await transaction.selectFrom('app_user').select(columns).where('id', '=', id).executeTakeFirst();
    if (row === undefined) return;
    const names = { display_name: displayName, search_key: searchKey(row.username, displayName) };
    const profile = { ...names, language, time_zone: timeZone, version: row.version + 1 };
    await transaction.updateTable('app_user').set(profile).where('id', '=', id).execute();
  });
}

interface UserRow extends Selectable<UserTable> {
  readonly built_in: string | null;
  readonly role_permissions: string | null;
  readonly second_factor_required: number | null;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    permissions: effectivePermissions(row),
    role: row.role ?? undefined,
    secondFactorRequired: row.second_factor_required === 1,
    displayName: row.display_name,
    timeZone: row.time_zone,
    email: row.email,
    phone: row.phone,
    expiresAtMs: wallMs(row.expires_at_ms),
    disabled: row.disabled !== 0,
    wallMonitorAllowed: row.wall_monitor_allowed !== 0,
    memberGroup: row.member_group ?? undefined,
    language: row.language,
    createdAtMs: wallMs(row.created_at_ms),
    passwordChangedAtMs: wallMs(row.password_changed_at_ms),
  };
}

/** The role's permissions where there is a role, else the user's own list. */
export function effectivePermissions(row: {
  readonly permissions: string;
  readonly built_in: string | null;
  readonly role_permissions: string | null;
}): readonly string[] {
  if (row.built_in === null || row.role_permissions === null) return JSON.parse(row.permissions) as string[];
  return permissionsOfRole({ built_in: row.built_in, permissions: row.role_permissions });
}
