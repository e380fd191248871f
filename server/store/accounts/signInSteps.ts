// The only module that knows `sign_in_step`: who gave the right password and still owes the second factor.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';

/**
 * Sign-ins of one account that wait for the verification code: each right password begins one. The oldest has to start again with the
 * password.
 */
export const SIGN_IN_STEPS_LIMIT: Limit = { name: 'signin.steps.account', max: 10 };

interface SignInStep {
  readonly userId: number;
  readonly wallMonitor: boolean;
}

export interface SignInStepStore {
  /** Gives how many others of the user had to make room. */
  insert(step: SignInStep & { readonly ticketHash: string; readonly expiresAtMs: WallMs }): Promise<number>;
  find(ticketHash: string, at: WallMs): Promise<SignInStep | undefined>;
  /** False when it was gone before: of two who bring one ticket only one gets in. */
  remove(ticketHash: string): Promise<boolean>;
  /** Whoever is half way in has to begin again. */
  removeOfUser(userId: number): Promise<void>;
  removeEnded(at: WallMs): Promise<void>;
}

export function createSignInStepStore(db: StoreDb): SignInStepStore {
  return {
    insert: async ({ ticketHash, userId, wallMonitor, expiresAtMs }) => {
      const row = { ticket_hash: ticketHash, user_id: userId, expires_at_ms: expiresAtMs };
      await db
        .insertInto('sign_in_step')
        .values({ ...row, wall_monitor: wallMonitor ? 1 : 0 })
        .execute();
      const own = db.selectFrom('sign_in_step').select('ticket_hash').where('user_id', '=', userId);
      const kept = own.where('ticket_hash', '!=', ticketHash).orderBy('expires_at_ms', 'desc');
      const newest = kept.limit(SIGN_IN_STEPS_LIMIT.max - 1);
      const others = db.deleteFrom('sign_in_step').where('user_id', '=', userId).where('ticket_hash', '!=', ticketHash);
      return Number((await others.where('ticket_hash', 'not in', newest).executeTakeFirst()).numDeletedRows);
    },
    find: async (ticketHash, at) => {
      const step = db.selectFrom('sign_in_step').selectAll().where('ticket_hash', '=', ticketHash);
      const row = await step.where('expires_at_ms', '>', at).executeTakeFirst();
      return row === undefined ? undefined : { userId: row.user_id, wallMonitor: row.wall_monitor !== 0 };
    },
    remove: async (ticketHash) => {
      const step = db.deleteFrom('sign_in_step').where('ticket_hash', '=', ticketHash);
      return (await step.executeTakeFirst()).numDeletedRows > 0n;
    },
    removeOfUser: async (userId) => {
      await db.deleteFrom('sign_in_step').where('user_id', '=', userId).execute();
    },
    removeEnded: async (at) => {
      await db.deleteFrom('sign_in_step').where('expires_at_ms', '<=', at).execute();
    },
  };
}
