// One-time links by which a member chooses a password: those who are new, and those who forgot theirs.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { InvitationStore } from '../store/invitations.ts';
import type { User, UserStore } from '../store/users.ts';
import { isActive } from './activeUser.ts';
import type { Passwords } from './passwords.ts';
import { createSecret, hashSecret } from './secrets.ts';
import type { Sessions } from './sessions.ts';

/** Long enough for a weekend, short enough that a forgotten mail opens nothing. */
export const INVITATION_MS = 3 * 86_400_000;

export interface IssuedInvitation {
  /** Given out once. */
  readonly token: string;
  readonly expiresAtMs: WallMs;
}

export interface Invitations {
  /** An earlier link of the member opens nothing from then on. */
  issue(userId: number): Promise<IssuedInvitation>;
  /** Whose it is, while it can be used. */
  find(token: string): Promise<User | undefined>;
  /** Sets the password and ends all sessions. The member; undefined when the link opens nothing. */
  accept(token: string, password: string): Promise<User | undefined>;
  withdraw(userId: number): Promise<boolean>;
}

export interface InvitationsDeps {
  readonly invitations: InvitationStore;
  readonly users: Pick<UserStore, 'find'>;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

export function createInvitations({ invitations, users, sessions, passwords, now }: InvitationsDeps): Invitations {
  async function find(token: string): Promise<User | undefined> {
    const invitation = await invitations.find(hashSecret(token), now());
    const user = invitation === undefined ? undefined : await users.find(invitation.userId);
    return user !== undefined && isActive(user, now()) ? user : undefined;
  }
  return {
    issue: async (userId) => {
      const token = createSecret();
      const expiresAtMs = wallMs(now() + INVITATION_MS);
      await invitations.put({ userId, tokenHash: hashSecret(token), expiresAtMs }, now());
      return { token, expiresAtMs };
    },
    find,
    accept: async (token, password) => {
      const user = await find(token);
      // Looked at first: a password is only worth the hashing where there is an account to open with it.
      if (user === undefined) return undefined;
      const isAccepted = await invitations.accept(hashSecret(token), await passwords.hash(password), now());
      if (!isAccepted) return undefined;
      await sessions.endAllOf(user.id);
      return user;
    },
    withdraw: invitations.removeOfUser,
  };
}
