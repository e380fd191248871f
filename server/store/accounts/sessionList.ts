// Sessions as people see them who may end them. Its rows tell which session is meant, and open none.
import type { SESSION_SORTS } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import { userNameKey } from './users.ts';

export interface ListedSession {
  /** The beginning of the stored hash: names the session, and leads to nothing that opens it. */
  readonly handle: string;
  readonly userId: number;
  readonly username: string;
  readonly displayName: string;
  readonly createdAtMs: WallMs;
  readonly lastSeenAtMs: WallMs;
  /** Unless it is used before. */
  readonly endsAtMs: WallMs;
  readonly wallMonitor: boolean;
  readonly address: string;
  readonly userAgent: string;
}

export interface SessionQuery {
  readonly offset: number;
  readonly limit: number;
  readonly sort: (typeof SESSION_SORTS)[number];
  readonly descending: boolean;
  readonly search?: string | undefined;
  readonly userId?: number | undefined;
  /** Only sessions of who belongs to one of these groups, and of the one who asks; undefined: everyone's. */
  readonly within?: { readonly groups: readonly number[]; readonly self: number } | undefined;
  readonly at: WallMs;
}

export interface SessionListStore {
  list(query: SessionQuery): Promise<{ readonly total: number; readonly rows: readonly ListedSession[] }>;
  findByHandle(handle: string): Promise<ListedSession | undefined>;
  /** False when it had ended before. */
  removeByHandle(handle: string): Promise<boolean>;
  /** The user's long ones. */
  removeWallMonitors(userId: number): Promise<void>;
  /** All of the user's but one; gives how many there were. */
  removeOthers(userId: number, exceptIdHash: string): Promise<number>;
}

const HANDLE_LENGTH = 20;
const HANDLE = /^[\da-f]{20}$/;

function handleOf(idHash: string): string {
  return idHash.slice(0, HANDLE_LENGTH);
}

const ORDER = {
  username: 'app_user.username_key',
  createdAtMs: 'session.created_at_ms',
  lastSeenAtMs: 'session.last_seen_at_ms',
  address: 'session.address',
} as const;

export function createSessionListStore(db: StoreDb): SessionListStore {
  return {
    list: (query) => listSessions(db, query),
    findByHandle: async (handle) => {
      if (!HANDLE.test(handle)) return undefined;
      const row = await columns(openSessions(db).where('session.id_hash', 'like', `${handle}%`)).executeTakeFirst();
      return row === undefined ? undefined : toListed(row);
    },
    removeByHandle: async (handle) => {
      if (!HANDLE.test(handle)) return false;
      const session = db.deleteFrom('session').where('id_hash', 'like', `${handle}%`);
      return (await session.executeTakeFirst()).numDeletedRows > 0n;
    },
    removeWallMonitors: async (userId) => {
      await db.deleteFrom('session').where('user_id', '=', userId).where('wall_monitor', '=', 1).execute();
    },
    removeOthers: async (userId, exceptIdHash) => {
      const others = db.deleteFrom('session').where('user_id', '=', userId).where('id_hash', '!=', exceptIdHash);
      return Number((await others.executeTakeFirst()).numDeletedRows);
    },
  };
}

async function listSessions(db: StoreDb, query: SessionQuery) {
  const { fn } = db;
  const counted = await chosen(db, query).select(fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await columns(chosen(db, query))
    .orderBy(ORDER[query.sort], query.descending ? 'desc' : 'asc')
    .orderBy('session.id_hash')
    .offset(query.offset)
    .limit(query.limit)
    .execute();
  return { total: counted.total, rows: rows.map(toListed) };
}

function openSessions(db: StoreDb) {
  return db.selectFrom('session').innerJoin('app_user', 'app_user.id', 'session.user_id');
}

function chosen(db: StoreDb, { search, userId, within, at }: SessionQuery) {
  let rows = openSessions(db).where('session.ends_at_ms', '>', at).where('session.idle_ends_at_ms', '>', at);
  if (search !== undefined) rows = rows.where(likeSearch('app_user.search_key', userNameKey(search)));
  if (userId !== undefined) rows = rows.where('session.user_id', '=', userId);
  if (within !== undefined) {
    const { groups, self } = within;
    const people = db.selectFrom('app_user_member_group').select('user_id');
    rows = rows.where((where) =>
      where.or([
        where('session.user_id', '=', self),
        ...(groups.length > 0 ? [where('session.user_id', 'in', people.where('member_group', 'in', groups))] : []),
      ]),
    );
  }
  return rows;
}

function columns(rows: ReturnType<typeof openSessions>) {
  return rows.selectAll('session').select(['app_user.username', 'app_user.display_name']);
}

type Row = Awaited<ReturnType<ReturnType<typeof columns>['execute']>>[number];

function toListed(row: Row): ListedSession {
  return {
    handle: handleOf(row.id_hash),
    userId: row.user_id,
    username: row.username,
    displayName: row.display_name,
    createdAtMs: wallMs(row.created_at_ms),
    lastSeenAtMs: wallMs(row.last_seen_at_ms),
    endsAtMs: wallMs(Math.min(row.idle_ends_at_ms, row.ends_at_ms)),
    wallMonitor: row.wall_monitor !== 0,
    address: row.address,
    userAgent: row.user_agent,
  };
}
