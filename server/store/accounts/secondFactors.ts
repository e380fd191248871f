// The only module that knows `second_factor` and `recovery_code`. Secrets come in sealed, codes as hashes.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';

interface SecondFactor {
  /** Sealed; '' while none is enrolled. */
  readonly secret: string;
  /** Sealed; shown, and not yet proven by a code. */
  readonly pendingSecret: string;
  readonly failures: number;
  readonly waitUntilMs: WallMs;
}

export interface SecondFactorStore {
  find(userId: number): Promise<SecondFactor | undefined>;
  setPending(userId: number, sealedSecret: string): Promise<void>;
  /**
   * Makes the pending secret the one that counts, with new recovery codes. False when the pending secret is another
   * one by now. `step` is the code's: it is spent.
   */
  enrol(userId: number, enrolment: Enrolment): Promise<boolean>;
  /** Spends a step: false when it or a later one was spent before. */
  takeStep(userId: number, step: number): Promise<boolean>;
  /** Spends a recovery code: false when there is none of this hash. */
  takeRecoveryCode(userId: number, codeHash: string): Promise<boolean>;
  countRecoveryCodes(userId: number): Promise<number>;
  /** Counts an attempt before it is looked at: false while the user has to wait, and nothing is counted then. */
  beginAttempt(userId: number, at: WallMs, waitAfter: (failures: number) => number): Promise<boolean>;
  /** Forgets the attempts that were counted. */
  forgive(userId: number): Promise<void>;
  /** Takes it away with the recovery codes. False when there was none. */
  remove(userId: number): Promise<boolean>;
}

interface Enrolment {
  readonly sealedSecret: string;
  readonly step: number;
  readonly recoveryHashes: readonly string[];
}

export function createSecondFactorStore(db: StoreDb): SecondFactorStore {
  return {
    find: async (userId) => {
      const row = await db.selectFrom('second_factor').selectAll().where('user_id', '=', userId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { secret, pending_secret: pendingSecret, failures } = row;
      return { secret, pendingSecret, failures, waitUntilMs: wallMs(row.wait_until_ms) };
    },
    setPending: async (userId, sealedSecret) => {
      const insert = db.insertInto('second_factor').values({ user_id: userId, pending_secret: sealedSecret });
      await insert
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pending_secret: sealedSecret }))
        .execute();
    },
    enrol: (userId, enrolment) => enrol(db, userId, enrolment),
    takeStep: async (userId, step) => {
      const own = db.updateTable('second_factor').set({ last_step: step }).where('user_id', '=', userId);
      return (await own.where('last_step', '<', step).executeTakeFirst()).numUpdatedRows > 0n;
    },
    takeRecoveryCode: async (userId, codeHash) => {
      const code = db.deleteFrom('recovery_code').where('user_id', '=', userId).where('code_hash', '=', codeHash);
      return (await code.executeTakeFirst()).numDeletedRows > 0n;
    },
    countRecoveryCodes: async (userId) => {
      const { fn } = db;
      const codes = db.selectFrom('recovery_code').select(fn.countAll<number>().as('left'));
      return (await codes.where('user_id', '=', userId).executeTakeFirstOrThrow()).left;
    },
    beginAttempt: (userId, at, waitAfter) => beginAttempt(db, { userId, at }, waitAfter),
    forgive: async (userId) => {
      const forgiven = { failures: 0, wait_until_ms: 0 };
      await db.updateTable('second_factor').set(forgiven).where('user_id', '=', userId).execute();
    },
    remove: (userId) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
        const removed = transaction.deleteFrom('second_factor').where('user_id', '=', userId);
        return (await removed.executeTakeFirst()).numDeletedRows > 0n;
      }),
  };
}

function enrol(db: StoreDb, userId: number, { sealedSecret, step, recoveryHashes }: Enrolment): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const fresh = { secret: sealedSecret, pending_secret: '', last_step: step, failures: 0, wait_until_ms: 0 };
    const own = transaction.updateTable('second_factor').set(fresh).where('user_id', '=', userId);
    const { numUpdatedRows } = await own.where('pending_secret', '=', sealedSecret).executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
    const rows = recoveryHashes.map((codeHash) => ({ user_id: userId, code_hash: codeHash }));
    if (rows.length > 0) await transaction.insertInto('recovery_code').values(rows).execute();
    return true;
  });
}

interface Attempt {
  readonly userId: number;
  readonly at: WallMs;
}

// One statement counts, so that attempts at the same time are as many as they are.
async function beginAttempt(
  db: StoreDb,
  { userId, at }: Attempt,
  waitAfter: (failures: number) => number,
): Promise<boolean> {
  const counted = await db
    .updateTable('second_factor')
    .set((where) => ({ failures: where('failures', '+', 1) }))
    .where('user_id', '=', userId)
    .where('wait_until_ms', '<=', at)
    .returning('failures')
    .executeTakeFirst();
  if (counted === undefined) return false;
  const waitMs = waitAfter(counted.failures);
  if (waitMs > 0) {
    const own = db.updateTable('second_factor').where('user_id', '=', userId);
    await own.set({ wait_until_ms: at + waitMs }).execute();
  }
  return true;
}
