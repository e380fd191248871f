// One-time links by which a member chooses a password: those who are new, and those who forgot theirs.
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

export interface IssuedInvitation {
  /** Given out once. */
  readonly token: string;
  readonly expiresAtMs: WallMs;
}

export interface Invitations {
  /** An earlier link of the member opens nothing from then on. `issuedBy` is the member who asks for it. */
  issue(userId: number, issuedBy: number): Promise<IssuedInvitation>;
  /** Whose it is, while it can be used: the member is active, and its issuer could make it now. */
  find(token: string): Promise<User | undefined>;
  /** Sets the password and ends all sessions. The member; undefined when the link opens nothing. A refused password spends no link. */
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
      // Looked at first: a password is only worth the hashing where there is an account to open with it.
      if (user === undefined) return undefined;
      const fault = passwordFault(password, user.username);
      if (fault !== undefined) return fault;
      const passwordHash = await passwords.hash(password);
      // Asked again, since hashing takes a while. What changes the member meanwhile ends the link by itself.
      if ((await find(token)) === undefined) return undefined;
      if (!(await invitations.accept(hashSecret(token), passwordHash, now()))) return undefined;
      await sessions.endAllOf(user.id);
      return user;
    },
    withdraw: invitations.removeOfUser,
  };
}
