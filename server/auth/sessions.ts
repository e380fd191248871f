// Sessions and the frame tokens that stand for them. Ids are given out once and kept as hashes.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { Session, SessionStore } from '../store/sessions.ts';
import type { User, UserStore } from '../store/users.ts';
import { createSecret, hashSecret } from './secrets.ts';
import { beginTimes, FRAME_TOKEN_MS, isOver, lifeOf, slide } from './sessionTimes.ts';

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

export interface Sessions {
  /** Gives the id for the cookie. `wallMonitor` is asked for, and granted only to those who may. */
  begin(user: User, visitor: Visitor, wallMonitor: boolean): Promise<{ readonly id: string; readonly session: Session }>;
  /** Who the id belongs to, while the session lasts and its user is active. Counts as use. */
  find(id: string): Promise<SignedIn | undefined>;
  findByFrameToken(token: string): Promise<SignedIn | undefined>;
  /** A token that stands for the session in a frame whose cookies the browser blocks. */
  createFrameToken(session: Session): Promise<{ readonly token: string; readonly expiresAtMs: WallMs }>;
  end(session: Session): Promise<void>;
  endAllOf(userId: number): Promise<number>;
}

export interface SessionsDeps {
  readonly sessions: SessionStore;
  readonly users: UserStore;
  readonly now: () => WallMs;
}

/** Ids and tokens have a fixed form; anything else is not worth a question to the database. */
const SECRET_FORM = /^[A-Za-z\d]{27}$/;
const MAX_USER_AGENT = 256;

export function createSessions({ sessions, users, now }: SessionsDeps): Sessions {
  async function signedIn(session: Session | undefined): Promise<SignedIn | undefined> {
    if (session === undefined || isOver(session, now())) return undefined;
    const user = await users.find(session.userId);
    if (user === undefined || user.disabled) return undefined;
    const idleEndsAtMs = slide(session, now(), lifeOf(session.wallMonitor));
    if (idleEndsAtMs !== undefined) await sessions.touch(session.idHash, now(), idleEndsAtMs);
    return { user, session };
  }
  async function begin(user: User, visitor: Visitor, wallMonitor: boolean) {
    const id = createSecret();
    const session = newSession(user, visitor, { idHash: hashSecret(id), wallMonitor, now: now() });
    await sessions.insert(session);
    return { id, session };
  }
  return {
    begin,
    find: async (id) => (SECRET_FORM.test(id) ? signedIn(await sessions.find(hashSecret(id))) : undefined),
    findByFrameToken: async (token) => {
      if (!SECRET_FORM.test(token)) return undefined;
      const tokenHash = hashSecret(token);
      const found = await signedIn(await sessions.findByFrameToken(tokenHash, now()));
      if (found !== undefined) await sessions.extendFrameToken(tokenHash, wallMs(now() + FRAME_TOKEN_MS));
      return found;
    },
    createFrameToken: async (session) => {
      const token = createSecret();
      const expiresAtMs = wallMs(Math.min(now() + FRAME_TOKEN_MS, session.endsAtMs));
      await sessions.insertFrameToken({ tokenHash: hashSecret(token), sessionIdHash: session.idHash, expiresAtMs });
      return { token, expiresAtMs };
    },
    end: (session) => sessions.remove(session.idHash),
    endAllOf: (userId) => sessions.removeOfUser(userId),
  };
}

function newSession(
  user: User,
  visitor: Visitor,
  { idHash, wallMonitor, now }: { readonly idHash: string; readonly wallMonitor: boolean; readonly now: WallMs },
): Session {
  const granted = wallMonitor && user.wallMonitorAllowed;
  return {
    idHash,
    userId: user.id,
    memberGroup: user.memberGroup,
    wallMonitor: granted,
    createdAtMs: now,
    ...beginTimes(now, lifeOf(granted)),
    address: visitor.address,
    userAgent: visitor.userAgent.slice(0, MAX_USER_AGENT),
  };
}
