// Sessions and the frame tokens that stand for them. Ids are given out once and kept as hashes.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { KnownBrowserStore } from '../store/accounts/knownBrowsers.ts';
import type { MemberGroup, MemberGroupStore } from '../store/accounts/memberGroups.ts';
import { FRAME_TOKENS_LIMIT, SESSIONS_LIMIT, type Session, type SessionStore } from '../store/accounts/sessions.ts';
import type { SignInStepStore } from '../store/accounts/signInSteps.ts';
import type { User, UserStore } from '../store/accounts/users.ts';
import { isActive } from './activeUser.ts';
import { createSecret, hashSecret, SECRET_FORM } from './secrets.ts';
import { beginTimes, FRAME_TOKEN_MS, isOver, lifeOf, slide, slideToken } from './sessionTimes.ts';

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  /** The session's current group; undefined when the user belongs to none. Each has its own: a wall display doesn't follow its user's desk. */
  readonly group: MemberGroup | undefined;
  /** All groups of the user. */
  readonly groups: readonly MemberGroup[];
}

export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
}

export interface Sessions {
  /** Returns the id for the cookie. `wallMonitor` is a request, granted only to users who are allowed long sessions. */
  begin(
    user: User,
    client: ClientInfo,
    wallMonitor: boolean,
  ): Promise<{ readonly id: string; readonly session: Session }>;
  /** The session's user and group, if the session is valid and the user is active. Counts as activity. */
  find(id: string): Promise<SignedIn | undefined>;
  findByFrameToken(token: string): Promise<SignedIn | undefined>;
  /** A token that stands for the session in a frame whose cookies the browser blocks. */
  createFrameToken(session: Session): Promise<{ readonly token: string; readonly expiresAtMs: WallMs }>;
  end(session: Session): Promise<void>;
  /**
   * Returns the number of sessions ended. Sign-ins that still need the second factor are dropped too, and no browser counts
   * as known any more.
   */
  endAllOf(userId: number): Promise<number>;
}

export interface SessionsDeps {
  readonly sessions: SessionStore;
  readonly signInSteps: Pick<SignInStepStore, 'removeOfUser'>;
  readonly knownBrowsers: Pick<KnownBrowserStore, 'removeOfUser'>;
  readonly users: UserStore;
  readonly memberGroups: MemberGroupStore;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

const MAX_USER_AGENT = 256;

export function createSessions(deps: SessionsDeps): Sessions {
  const { sessions, signInSteps, knownBrowsers, users, memberGroups, now, onLimit } = deps;
  async function signedIn(session: Session | undefined): Promise<SignedIn | undefined> {
    if (session === undefined || isOver(session, now())) return undefined;
    const [user, groups] = await Promise.all([users.find(session.userId), memberGroups.listOfUser(session.userId)]);
    if (user === undefined || !isActive(user, now())) return undefined;
    const idleEndsAtMs = slide(session, now(), lifeOf(session.wallMonitor));
    if (idleEndsAtMs !== undefined) await sessions.touch(session.idHash, now(), idleEndsAtMs);
    const group = currentGroup(session.memberGroup, groups);
    // Since the session chose its group, the user was removed from it or the group was deleted.
    if (group?.serialno !== session.memberGroup) await sessions.setMemberGroup(session.idHash, group?.serialno);
    return { user, session: { ...session, memberGroup: group?.serialno }, group, groups };
  }
  async function begin(user: User, client: ClientInfo, wallMonitor: boolean) {
    const id = createSecret();
    const group = currentGroup(user.memberGroup, await memberGroups.listOfUser(user.id));
    const facts = { idHash: hashSecret(id), memberGroup: group?.serialno, wallMonitor, now: now() };
    const session = newSession(user, client, facts);
    if ((await sessions.insert(session)) > 0) onLimit(SESSIONS_LIMIT);
    return { id, session };
  }
  return {
    begin,
    find: async (id) => (SECRET_FORM.test(id) ? signedIn(await sessions.find(hashSecret(id))) : undefined),
    findByFrameToken: async (token) => {
      if (!SECRET_FORM.test(token)) return undefined;
      const tokenHash = hashSecret(token);
      const found = await sessions.findByFrameToken(tokenHash, now());
      const caller = await signedIn(found?.session);
      if (found === undefined || caller === undefined) return undefined;
      const expiresAtMs = slideToken(found.token.expiresAtMs, now());
      if (expiresAtMs !== undefined) await sessions.extendFrameToken(tokenHash, expiresAtMs);
      return caller;
    },
    createFrameToken: async (session) => {
      const token = createSecret();
      const expiresAtMs = wallMs(now() + FRAME_TOKEN_MS);
      const frameToken = { tokenHash: hashSecret(token), sessionIdHash: session.idHash, expiresAtMs };
      if ((await sessions.insertFrameToken(frameToken)) > 0) onLimit(FRAME_TOKENS_LIMIT);
      return { token, expiresAtMs };
    },
    end: (session) => sessions.remove(session.idHash),
    endAllOf: async (userId) => {
      await signInSteps.removeOfUser(userId);
      await knownBrowsers.removeOfUser(userId);
      return sessions.removeOfUser(userId);
    },
  };
}

interface NewSessionFacts {
  readonly idHash: string;
  readonly memberGroup: number | undefined;
  readonly wallMonitor: boolean;
  readonly now: WallMs;
}

/** The chosen group while the user belongs to it, else the user's first one. */
function currentGroup(chosen: number | undefined, groups: readonly MemberGroup[]): MemberGroup | undefined {
  return groups.find((group) => group.serialno === chosen) ?? groups[0];
}

function newSession(
  user: User,
  client: ClientInfo,
  { idHash, memberGroup, wallMonitor, now }: NewSessionFacts,
): Session {
  const granted = wallMonitor && user.wallMonitorAllowed;
  return {
    idHash,
    userId: user.id,
    memberGroup,
    wallMonitor: granted,
    createdAtMs: now,
    ...beginTimes(now, lifeOf(granted)),
    address: client.address,
    userAgent: client.userAgent.slice(0, MAX_USER_AGENT),
  };
}
