// One-time links by which a member chooses a password: those who are new, and those who forgot theirs.
import type { IssuedInvitation } from '../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { InvitationStore } from '../store/accounts/invitations.ts';
import type { MemberGroupStore } from '../store/accounts/memberGroups.ts';
import type { User, UserStore } from '../store/accounts/users.ts';
import { isActive } from './activeUser.ts';
import { mayInvite } from './membershipRules.ts';
import { type PasswordFault, passwordFault } from './passwordRules.ts';
import type { Passwords } from './passwords.ts';
import { createSecret, hashSecret } from './secrets.ts';
import type { Sessions } from './sessions.ts';

/** Long enough for a weekend, short enough that a forgotten mail opens nothing. */
const INVITATION_MS = 3 * 86_400_000;

export interface Invitations {
  /** An earlier link of the member opens nothing from then on. `issuedBy` is the member who asks for it. */
  issue(userId: number, issuedBy: number): Promise<IssuedInvitation>;
  /** The link's member, if it can be used: the member is active, and the issuer would still be allowed to create it. */
  find(token: string): Promise<User | undefined>;
  /**
   * Sets the password and ends all sessions. Returns the member; undefined if the link isn't valid. A refused password
   * doesn't use up the link.
   */
  accept(token: string, password: string): Promise<User | PasswordFault | undefined>;
  withdraw(userId: number): Promise<boolean>;
}

export interface InvitationsDeps {
  readonly invitations: InvitationStore;
  readonly users: Pick<UserStore, 'find'>;
  readonly memberGroups: Pick<MemberGroupStore, 'listOfUser'>;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

export function createInvitations(deps: InvitationsDeps): Invitations {
  const { invitations, users, memberGroups, sessions, passwords, now } = deps;

  /** An active user, as the rules of membership see one. */
  async function findActive(userId: number) {
    const user = await users.find(userId);
    if (user === undefined || !isActive(user, now())) return undefined;
    const groups = (await memberGroups.listOfUser(userId)).map(({ serialno }) => serialno);
    return { user, seen: { id: user.id, permissions: user.permissions, role: user.role, groups } };
  }
  async function find(token: string): Promise<User | undefined> {
    const invitation = await invitations.find(hashSecret(token), now());
    if (invitation === undefined) return undefined;
    const [invited, issuer] = await Promise.all([findActive(invitation.userId), findActive(invitation.issuedBy)]);
    if (invited === undefined || issuer === undefined) return undefined;
    return mayInvite(issuer.seen, invited.seen) ? invited.user : undefined;
  }
  return {
    issue: async (userId, issuedBy) => {
      const token = createSecret();
      const expiresAtMs = wallMs(now() + INVITATION_MS);
      await invitations.put({ userId, issuedBy, tokenHash: hashSecret(token), expiresAtMs }, now());
      return { token, expiresAtMs };
    },
    find,
    accept: async (token, password) => {
      const user = await find(token);
      // Checked first: hashing is only worth its cost if the link is valid.
      if (user === undefined) return undefined;
      const fault = passwordFault(password, user.username);
      if (fault !== undefined) return fault;
      const passwordHash = await passwords.hash(password);
      // Checked again, because hashing takes a while. The store ends the link itself if the member changes after this.
      if ((await find(token)) === undefined) return undefined;
      if (!(await invitations.accept(hashSecret(token), passwordHash, now()))) return undefined;
      await sessions.endAllOf(user.id);
      return user;
    },
    withdraw: invitations.removeOfUser,
  };
}
