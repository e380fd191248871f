// Actions of members on messages of their group: sending again, and canceling.
import type { CancelReason } from '../../../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { createAuditStore } from '../../audit/audit.ts';
import type { AuditEntry } from '../../audit/auditEntry.ts';
import type { StoreDb } from '../../engine/database.ts';
import { lockingRows } from '../../engine/lockingRows.ts';
import { stateLiteral, stateNumber } from './messageRows.ts';

interface MessageAct {
  readonly memberGroup: number;
  readonly ids: readonly number[];
  readonly atMs: number;
}

export interface ChangedMessage {
  readonly id: number;
  readonly sender: number;
}

/** The audit entry, which is stored unless nothing was done: neither is ever in the database without the other. */
export type AuditOfMessages = (changed: readonly ChangedMessage[]) => AuditEntry;

export interface MessageActStore {
  /**
   * Sends messages again that don't wait. For the receiving side each is a new message: `newKey` gives it a key of its own. Its text is
   * written again, and it has a day for its attempts.
   */
  resend(act: MessageAct, newKey: () => string, auditOf: AuditOfMessages): Promise<readonly ChangedMessage[]>;
  /** Cancels messages that wait. */
  cancel(act: MessageAct, auditOf: AuditOfMessages): Promise<readonly ChangedMessage[]>;
}

export function createMessageActStore(db: StoreDb): MessageActStore {
  const audited = (
    { atMs }: MessageAct,
    auditOf: AuditOfMessages,
    change: (work: StoreDb) => Promise<readonly ChangedMessage[]>,
  ): Promise<readonly ChangedMessage[]> =>
    db.transaction().execute(async (work) => {
      const changed = await change(work);
      if (changed.length > 0) await createAuditStore(work, work).add(auditOf(changed), wallMs(atMs));
      return changed;
    });
  return {
    resend: (act, newKey, auditOf) => audited(act, auditOf, (work) => resendAll(work, act, newKey)),
    cancel: (act, auditOf) => audited(act, auditOf, (work) => cancelAll(work, act)),
  };
}

async function resendAll(work: StoreDb, { memberGroup, ids, atMs }: MessageAct, newKey: () => string) {
  const changed: ChangedMessage[] = [];
  // Each message gets its own key; a request names a hundred at most. The fixed order prevents two transactions from waiting for each
  // other.
  for (const id of ids.toSorted((left, right) => left - right)) {
    const row = work
      .updateTable('notify_message')
      .set({
        state: stateNumber('waiting'),
        key: newKey(),
        by_hand: 1,
        attempts: 0,
        answer: '',
        due_at_ms: atMs,
        first_due_at_ms: atMs,
        finished_at_ms: 0,
        waits_quiet: 0,
      })
      .where('id', '=', id)
      .where('member_group', '=', memberGroup)
      .where('state', '<>', stateLiteral('waiting'));
    changed.push(...(await row.returning(['id', 'sender']).execute()));
  }
  return changed;
}

async function cancelAll(work: StoreDb, { memberGroup, ids, atMs }: MessageAct): Promise<readonly ChangedMessage[]> {
  const answer: CancelReason = 'by-hand';
  // In the same order as above.
  await lockingRows(
    work,
    work.selectFrom('notify_message').select('id').where('id', 'in', ids).orderBy('id'),
  ).execute();
  return work
    .updateTable('notify_message')
    .set({ state: stateNumber('canceled'), answer, finished_at_ms: atMs })
    .where('id', 'in', ids)
    .where('member_group', '=', memberGroup)
    .where('state', '=', stateLiteral('waiting'))
    .returning(['id', 'sender'])
    .execute();
}
