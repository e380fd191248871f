// The only module that knows `session` and `frame_token`. Ids and tokens come in as hashes; nobody can read them back.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import type { SessionTable } from './tables.ts';

export interface Session {
  readonly idHash: string;
  readonly userId: number;
  /** The group whose devices this session sees; undefined when the user belongs to none. */
  readonly memberGroup: number | undefined;
  readonly wallMonitor: boolean;
  readonly createdAtMs: WallMs;
  readonly lastSeenAtMs: WallMs;
  /** Moves with use. */
  readonly idleEndsAtMs: WallMs;
  /** The end that no use moves. */
  readonly endsAtMs: WallMs;
  readonly address: string;
  readonly userAgent: string;
}

interface FrameToken {
  readonly tokenHash: string;
  readonly sessionIdHash: string;
  readonly expiresAtMs: WallMs;
}

/** Frame tokens of one session. A page asks for one when it is framed; nobody has this many frames open. The oldest ends. */
export const FRAME_TOKENS_LIMIT: Limit = { name: 'account.frametokens.session', max: 50 };
/** Sessions of one account: whoever knows a password could begin one session after another. The least recently used one ends. */
export const SESSIONS_LIMIT: Limit = { name: 'account.sessions.account', max: 100 };

export interface SessionStore {
  /** Gives how many others of the user had to make room. */
  insert(session: Session): Promise<number>;
  /** Ended ones are given too, until they are swept: the caller compares the times. */
  find(idHash: string): Promise<Session | undefined>;
  touch(idHash: string, seenAtMs: WallMs, idleEndsAtMs: WallMs): Promise<void>;
  setMemberGroup(idHash: string, memberGroup: number | undefined): Promise<void>;
  /** Its frame tokens and its own link credentials go with it. */
  remove(idHash: string): Promise<void>;
  /** Gives how many there were. */
  removeOfUser(userId: number): Promise<number>;
  removeEnded(at: WallMs): Promise<number>;
  /** Gives how many older tokens of the session had to make room. */
  insertFrameToken(token: FrameToken): Promise<number>;
  /** The token and its session, when the token is still in force. */
  findByFrameToken(tokenHash: string, at: WallMs): Promise<{ token: FrameToken; session: Session } | undefined>;
  extendFrameToken(tokenHash: string, expiresAtMs: WallMs): Promise<void>;
}

export function createSessionStore(db: StoreDb): SessionStore {
  return {
    insert: (session) => insertSession(db, session),
    find: async (idHash) => {
      const row = await db.selectFrom('session').selectAll().where('id_hash', '=', idHash).executeTakeFirst();
      return row === undefined ? undefined : toSession(row);
    },
    touch: async (idHash, seenAtMs, idleEndsAtMs) => {
      const times = { last_seen_at_ms: seenAtMs, idle_ends_at_ms: idleEndsAtMs };
      await db.updateTable('session').set(times).where('id_hash', '=', idHash).execute();
    },
    setMemberGroup: async (idHash, memberGroup) => {
      const group = { member_group: memberGroup ?? null };
      await db.updateTable('session').set(group).where('id_hash', '=', idHash).execute();
    },
    remove: async (idHash) => {
      await db.deleteFrom('session').where('id_hash', '=', idHash).execute();
    },
    removeOfUser: async (userId) => {
      const result = await db.deleteFrom('session').where('user_id', '=', userId).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
    removeEnded: (at) => removeEnded(db, at),
    insertFrameToken: (token) => insertFrameToken(db, token),
    findByFrameToken: async (tokenHash, at) => {
      const row = await db
        .selectFrom('frame_token')
        .innerJoin('session', 'session.id_hash', 'frame_token.session_id_hash')
        .selectAll('session')
        .select('frame_token.expires_at_ms')
        .where('frame_token.token_hash', '=', tokenHash)
        .where('frame_token.expires_at_ms', '>', at)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const token = { tokenHash, sessionIdHash: row.id_hash, expiresAtMs: wallMs(row.expires_at_ms) };
      return { token, session: toSession(row) };
    },
    extendFrameToken: async (tokenHash, expiresAtMs) => {
      const end = { expires_at_ms: expiresAtMs };
      await db.updateTable('frame_token').set(end).where('token_hash', '=', tokenHash).execute();
    },
  };
}

async function insertSession(db: StoreDb, session: Session): Promise<number> {
  await db.insertInto('session').values(toRow(session)).execute();
  const others = db.selectFrom('session').select('id_hash').where('user_id', '=', session.userId);
  const newest = others.where('id_hash', '!=', session.idHash).orderBy('last_seen_at_ms', 'desc');
  const kept = newest.limit(SESSIONS_LIMIT.max - 1);
  const surplus = db.deleteFrom('session').where('user_id', '=', session.userId).where('id_hash', '!=', session.idHash);
  return Number((await surplus.where('id_hash', 'not in', kept).executeTakeFirst()).numDeletedRows);
}

async function insertFrameToken(db: StoreDb, token: FrameToken): Promise<number> {
  const { tokenHash, sessionIdHash, expiresAtMs } = token;
  const values = { token_hash: tokenHash, session_id_hash: sessionIdHash, expires_at_ms: expiresAtMs };
  await db.insertInto('frame_token').values(values).execute();
  const ofSession = db.selectFrom('frame_token').select('token_hash').where('session_id_hash', '=', sessionIdHash);
  const newest = ofSession.orderBy('expires_at_ms', 'desc').limit(FRAME_TOKENS_LIMIT.max);
  const surplus = db.deleteFrom('frame_token').where('session_id_hash', '=', sessionIdHash);
  return Number((await surplus.where('token_hash', 'not in', newest).executeTakeFirst()).numDeletedRows);
}

async function removeEnded(db: StoreDb, at: WallMs): Promise<number> {
  await db.deleteFrom('frame_token').where('expires_at_ms', '<=', at).execute();
  const result = await db
    .deleteFrom('session')
    .where((where) => where.or([where('idle_ends_at_ms', '<=', at), where('ends_at_ms', '<=', at)]))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function toRow(session: Session): SessionTable {
  return {
    id_hash: session.idHash,
    user_id: session.userId,
    member_group: session.memberGroup ?? null,
    wall_monitor: session.wallMonitor ? 1 : 0,
    created_at_ms: session.createdAtMs,
    last_seen_at_ms: session.lastSeenAtMs,
    idle_ends_at_ms: session.idleEndsAtMs,
    ends_at_ms: session.endsAtMs,
    address: session.address,
    user_agent: session.userAgent,
  };
}

function toSession(row: Selectable<SessionTable>): Session {
  return {
    idHash: row.id_hash,
    userId: row.user_id,
    memberGroup: row.member_group ?? undefined,
    wallMonitor: row.wall_monitor !== 0,
    createdAtMs: wallMs(row.created_at_ms),
    lastSeenAtMs: wallMs(row.last_seen_at_ms),
    idleEndsAtMs: wallMs(row.idle_ends_at_ms),
    endsAtMs: wallMs(row.ends_at_ms),
    address: row.address,
    userAgent: row.user_agent,
  };
}
