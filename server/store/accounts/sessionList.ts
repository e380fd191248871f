// Sessions as people see them who may end them. Its rows tell which session is meant, and open none.
import { sql } from 'kysely';
import type { ListedSession, SessionSort } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  mapRows,
  numberColumn,
  type PageRequest,
  type SortKey,
  textColumn,
  textKey,
} from '../engine/listPage.ts';
import { isWithin, type MembersWithin } from './memberQuery.ts';
import { userNameKey } from './users.ts';

/** A session as it is kept, whoever asks. */
export interface OpenSession extends Omit<ListedSession, 'id' | 'memberId' | 'isCurrent' | 'mayEnd'> {
  /** The beginning of the stored hash: names the session, and leads to nothing that opens it. */
  readonly handle: string;
  readonly userId: number;
}

interface SessionQuery extends PageRequest<SessionSort> {
  /** '' for all. */
  readonly search: string;
  readonly userId?: number | undefined;
  readonly within?: MembersWithin | undefined;
  readonly at: WallMs;
}

export interface SessionListStore {
  /** Undefined when the position is none of such a list. */
  page(query: SessionQuery): Promise<FoundPage<OpenSession> | undefined>;
  findByHandle(handle: string): Promise<OpenSession | undefined>;
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
  username: textColumn('app_user.username_key'),
  createdAtMs: numberColumn('session.created_at_ms'),
  lastSeenAtMs: numberColumn('session.last_seen_at_ms'),
  address: textColumn('session.address'),
} as const satisfies Record<SessionSort, SortKey>;

/** Cursors go to pages, so they name a session no further than its handle does. */
const BY_HANDLE = textKey(sql`substr(session.id_hash, 1, ${sql.lit(HANDLE_LENGTH)})`);

/** `reading`: for lists. */
export function createSessionListStore(db: StoreDb, reading: StoreDb): SessionListStore {
  return {
    page: (query) => pageOfSessions(reading, query),
    findByHandle: async (handle) => {
      if (!HANDLE.test(handle)) return undefined;
      const row = await columns(openSessions(db).where('session.id_hash', 'like', `${handle}%`)).executeTakeFirst();
      return row === undefined ? undefined : toOpenSession(row);
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

async function pageOfSessions(db: StoreDb, query: SessionQuery): Promise<FoundPage<OpenSession> | undefined> {
  const rows = columns(chosen(db, query));
  return mapRows(await listPage(db, { rows, keys: [ORDER[query.sort], BY_HANDLE] }, query), toOpenSession);
}

function openSessions(db: StoreDb) {
  return db.selectFrom('session').innerJoin('app_user', 'app_user.id', 'session.user_id');
}

function chosen(db: StoreDb, { search, userId, within, at }: SessionQuery) {
  let rows = openSessions(db).where('session.ends_at_ms', '>', at).where('session.idle_ends_at_ms', '>', at);
  if (search !== '') rows = rows.where(likeSearch('app_user.search_key', userNameKey(search)));
  if (userId !== undefined) rows = rows.where('session.user_id', '=', userId);
  return within === undefined ? rows : rows.where(isWithin(db, 'session.user_id', within));
}

function columns(rows: ReturnType<typeof openSessions>) {
  return rows.selectAll('session').select(['app_user.username', 'app_user.display_name']);
}

type Row = Awaited<ReturnType<ReturnType<typeof columns>['execute']>>[number];

function toOpenSession(row: Row): OpenSession {
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
