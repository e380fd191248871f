// The only module that knows `invitation`: links by which members choose a password, one a member.
import type { Transaction } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';

interface Invitation {
  readonly userId: number;
  /** Whose rights are asked again when it is used. */
  readonly issuedBy: number;
  readonly expiresAtMs: WallMs;
}

export interface InvitationStore {
  /** In place of an earlier one, which opens nothing from now on. */
  put(invitation: Invitation & { readonly tokenHash: string }, at: WallMs): Promise<void>;
  find(tokenHash: string, at: WallMs): Promise<Invitation | undefined>;
  /** Sets the password and spends the invitation in one: false when it was spent or ended before. */
  accept(tokenHash: string, passwordHash: string, at: WallMs): Promise<boolean>;
  removeOfUser(userId: number): Promise<boolean>;
  removeEnded(at: WallMs): Promise<void>;
}

export function createInvitationStore(db: StoreDb): InvitationStore {
  return {
    put: async ({ userId, issuedBy, tokenHash, expiresAtMs }, at) => {
      const fresh = { token_hash: tokenHash, issued_by: issuedBy, created_at_ms: at, expires_at_ms: expiresAtMs };
      await db
        .insertInto('invitation')
        .values({ user_id: userId, ...fresh })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
        .execute();
    },
    find: async (tokenHash, at) => {
      const row = await db
        .selectFrom('invitation')
        .select(['user_id', 'issued_by', 'expires_at_ms'])
        .where('token_hash', '=', tokenHash)
        .where('expires_at_ms', '>', at)
        .executeTakeFirst();
      if (row === undefined || row.issued_by === null) return undefined;
      return { userId: row.user_id, issuedBy: row.issued_by, expiresAtMs: wallMs(row.expires_at_ms) };
    },
    accept: (tokenHash, passwordHash, at) =>
      db.transaction().execute(async (transaction) => {
        const invitation = await transaction
          .selectFrom('invitation')
          .select('user_id')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst();
        if (invitation === undefined) return false;
        const { user_id: userId } = invitation;
        await lockUser(transaction, userId);
        // By its token: another link may have taken its place while the account was waited for.
        const spent = await transaction
          .deleteFrom('invitation')
          .where('token_hash', '=', tokenHash)
          .where('expires_at_ms', '>', at)
          .executeTakeFirst();
        if (spent.numDeletedRows === 0n) return false;
        const password = { password_hash: passwordHash, password_changed_at_ms: at };
        await transaction.updateTable('app_user').set(password).where('id', '=', userId).execute();
        return true;
      }),
    removeOfUser: async (userId) => {
      const own = db.deleteFrom('invitation').where('user_id', '=', userId);
      return (await own.executeTakeFirst()).numDeletedRows > 0n;
    },
    removeEnded: async (at) => {
      await db.deleteFrom('invitation').where('expires_at_ms', '<=', at).execute();
    },
  };
}

/**
 * Changes of role and password lock the account's row and then its invitation's, and so does the use of the invitation: in
 * the other order PostgreSQL would end one of two that meet, as a deadlock (40P01).
 */
async function lockUser(transaction: Transaction<Schema>, userId: number): Promise<void> {
  // An update that changes nothing: the embedded engine has no `for update`, and both hold this row until the end.
  const unchanged = transaction.updateTable('app_user').set(({ ref }) => ({ version: ref('version') }));
  await unchanged.where('id', '=', userId).execute();
}

/**
 * Ends the links of these members. Belongs into every transaction that changes what a member may do or how a member signs in:
 * a link from before would hand the account, as it is now, to whoever holds the link.
 */
export async function endInvitations(db: StoreDb, userIds: readonly number[]): Promise<void> {
  if (userIds.length > 0) await db.deleteFrom('invitation').where('user_id', 'in', userIds).execute();
}

/** The same for all who hold a role. */
export async function endInvitationsOfRole(db: StoreDb, role: number): Promise<void> {
  const holders = db.selectFrom('app_user').select('id').where('role', '=', role);
  await db.deleteFrom('invitation').where('user_id', 'in', holders).execute();
}

/** The same for all who belong to a member group. */
export async function endInvitationsOfGroup(db: StoreDb, memberGroup: number): Promise<void> {
  const people = db.selectFrom('app_user_member_group').select('user_id').where('member_group', '=', memberGroup);
  await db.deleteFrom('invitation').where('user_id', 'in', people).execute();
}
