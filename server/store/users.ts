// The only module that knows the `app_user` table.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StoreDb } from './database.ts';
import type { UserTable } from './schema.ts';

export interface User {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  readonly permissions: readonly string[];
  readonly disabled: boolean;
  /** May ask for the longer session of a wall monitor. */
  readonly wallMonitorAllowed: boolean;
  /** The member group that the next session begins with. */
  readonly memberGroup: number | undefined;
  /** A locale, '' until chosen. */
  readonly language: string;
  readonly createdAtMs: WallMs;
  readonly passwordChangedAtMs: WallMs;
}

export type NewUser = Pick<User, 'username' | 'passwordHash' | 'permissions'> &
  Partial<Pick<User, 'disabled' | 'wallMonitorAllowed' | 'memberGroup' | 'language'>>;

export interface UserStore {
  count(): Promise<number>;
  find(id: number): Promise<User | undefined>;
  /** Upper and lower case and the ways to compose a letter are one name. */
  findByName(username: string): Promise<User | undefined>;
  list(): Promise<User[]>;
  /** Gives the new user's id. Throws when the name is taken. */
  insert(user: NewUser, at: WallMs): Promise<number>;
  setPasswordHash(id: number, passwordHash: string, at: WallMs): Promise<void>;
  setPermissions(id: number, permissions: readonly string[]): Promise<void>;
  setDisabled(id: number, disabled: boolean): Promise<void>;
  setMemberGroup(id: number, memberGroup: number | undefined): Promise<void>;
  remove(id: number): Promise<boolean>;
}

/** What two spellings of one name have in common. */
export function userNameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

export function createUserStore(db: StoreDb): UserStore {
  const change = async (id: number, columns: Partial<Omit<UserTable, 'id'>>): Promise<void> => {
    await db.updateTable('app_user').set(columns).where('id', '=', id).execute();
  };
  return {
    count: async () => {
      const { fn } = db;
      const row = await db.selectFrom('app_user').select(fn.countAll<number>().as('users')).executeTakeFirstOrThrow();
      return row.users;
    },
    find: async (id) => {
      const row = await db.selectFrom('app_user').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toUser(row);
    },
    findByName: async (username) => {
      const users = db.selectFrom('app_user').selectAll();
      const row = await users.where('username_key', '=', userNameKey(username)).executeTakeFirst();
      return row === undefined ? undefined : toUser(row);
    },
    list: async () => (await db.selectFrom('app_user').selectAll().orderBy('username_key').execute()).map(toUser),
    insert: (user, at) => insertUser(db, user, at),
    setPasswordHash: (id, hash, at) => change(id, { password_hash: hash, password_changed_at_ms: at }),
    setPermissions: (id, permissions) => change(id, { permissions: JSON.stringify(permissions) }),
    setDisabled: (id, disabled) => change(id, { disabled: disabled ? 1 : 0 }),
    setMemberGroup: (id, memberGroup) => change(id, { member_group: memberGroup ?? null }),
    remove: async (id) => {
      const result = await db.deleteFrom('app_user').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}

async function insertUser(db: StoreDb, user: NewUser, at: WallMs): Promise<number> {
  const row = await db
    .insertInto('app_user')
    .values({
      username: user.username,
      username_key: userNameKey(user.username),
      password_hash: user.passwordHash,
      permissions: JSON.stringify(user.permissions),
      disabled: user.disabled === true ? 1 : 0,
      wall_monitor_allowed: user.wallMonitorAllowed === true ? 1 : 0,
      member_group: user.memberGroup ?? null,
      language: user.language ?? '',
      created_at_ms: at,
      password_changed_at_ms: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

function toUser(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    permissions: JSON.parse(row.permissions) as string[],
    disabled: row.disabled !== 0,
    wallMonitorAllowed: row.wall_monitor_allowed !== 0,
    memberGroup: row.member_group ?? undefined,
    language: row.language,
    createdAtMs: wallMs(row.created_at_ms),
    passwordChangedAtMs: wallMs(row.password_changed_at_ms),
  };
}
