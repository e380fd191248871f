// How senders fare, as their attempts have left it (see `recordAttempt`).
import type { StoreDb } from '../../engine/database.ts';

export interface StoredHealth {
  readonly sender: number;
  /** Attempts that failed since the last one that did not. */
  readonly failures: number;
  readonly failingSinceMs: number;
  readonly lastFailureAtMs: number;
}

export interface SenderHealthStore {
  /** Enabled senders whose last attempt failed. */
  failed(): Promise<readonly StoredHealth[]>;
}

export function createSenderHealthStore(db: StoreDb): SenderHealthStore {
  return {
    failed: async () => {
      const failed = db.selectFrom('notify_sender').where('failures', '>', 0).where('enabled', '=', 1);
      const rows = await failed.select(['id', 'failures', 'failing_since_ms', 'last_failure_at_ms']).execute();
      return rows.map((row) => ({
        sender: row.id,
        failures: row.failures,
        failingSinceMs: row.failing_since_ms,
        lastFailureAtMs: row.last_failure_at_ms,
      }));
    },
  };
}
