// Messages that wait to be sent, by sender, and the outcome of each attempt.
import { sql } from 'kysely';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { StoredMessage } from '../plannedMessage.ts';
import { type EventState, readEventState } from './eventState.ts';
import { stateLiteral, stateNumber, toStoredMessage } from './messageRows.ts';
import { type AttemptRecord, type RecordedAttempt, recordAttempt } from './recordAttempt.ts';

/** Whether a message that was read some time ago must still be sent. */
type StillDue = 'not-waiting' | EventState;

export interface MessageQueueStore {
  /**
   * Due messages of a sender: the first of each member group, then the second of each, and so on. Within a group emergencies come first and
   * digests last; among equals, the one that has waited longest comes first.
   */
  due(sender: number, nowMs: number, limit: number): Promise<readonly StoredMessage[]>;
  /** When the sender's next message falls due after a time; undefined for none. */
  nextDueMs(sender: number, afterMs: number): Promise<number | undefined>;
  sendersWaiting(): Promise<readonly number[]>;
  waitingCount(): Promise<number>;
  /** The number of messages whose time has come, and the time of the first; undefined: there is none. */
  overdue(nowMs: number): Promise<{ readonly count: number; readonly sinceMs: number | undefined }>;
  stillDue(message: StoredMessage): Promise<StillDue>;
  /** Stores in one transaction: the attempt, its consequence, the state of the sender, and the repeat. */
  record(record: AttemptRecord): Promise<RecordedAttempt>;
  /** Moves the message to a later time, without an attempt. */
  postpone(message: StoredMessage, dueAtMs: number): Promise<void>;
  /** Ends a waiting message without an attempt; `false`: it was not waiting any more. */
  finish(message: StoredMessage, end: MessageEnd): Promise<boolean>;
  /** Ends messages of a sender that first fell due before a time, at most `limit`; gives their ids. */
  finishOfSender(sender: number, which: OldMessages, end: MessageEnd): Promise<readonly number[]>;
}

interface MessageEnd {
  readonly state: 'failed' | 'canceled';
  readonly answer: string;
  readonly atMs: number;
}

interface OldMessages {
  readonly firstDueBeforeMs: number;
  readonly limit: number;
}

/** The same urgency as `urgencyOf` gives for a message that was read. */
const CRITICAL = sql.lit(SEVERITIES.indexOf('critical'));
const URGENCY = sql<number>`case when digest_key <> '' then 2 when severity = ${CRITICAL} then 0 else 1 end`;
const TURN = sql<number>`row_number() over (partition by member_group order by ${URGENCY}, due_at_ms, id)`;

export function createMessageQueueStore(db: StoreDb): MessageQueueStore {
  const waiting = () => db.selectFrom('notify_message').where('state', '=', stateLiteral('waiting'));
  return {
    due: async (sender, nowMs, limit) => {
      const ranked = waiting()
        .where('sender', '=', sender)
        .where('due_at_ms', '<=', nowMs)
        .select(['id', 'due_at_ms', URGENCY.as('urgency'), TURN.as('turn')]);
      // The texts are read of these messages only, and not sorted.
      const first = db
        .selectFrom(ranked.as('ranked'))
        .select(['id', 'due_at_ms', 'urgency', 'turn'])
        .orderBy('turn')
        .orderBy('urgency')
        .orderBy('due_at_ms')
        .orderBy('id')
        .limit(limit);
      const rows = await db
        .selectFrom(first.as('first'))
        .innerJoin('notify_message', 'notify_message.id', 'first.id')
        .selectAll('notify_message')
        .orderBy('first.turn')
        .orderBy('first.urgency')
        .orderBy('first.due_at_ms')
        .orderBy('first.id')
        .execute();
      return rows.map(toStoredMessage);
    },
    nextDueMs: async (sender, afterMs) => {
      const later = waiting().where('sender', '=', sender).where('due_at_ms', '>', afterMs).select('due_at_ms');
      return (await later.orderBy('due_at_ms').limit(1).executeTakeFirst())?.due_at_ms;
    },
    sendersWaiting: () => sendersWaiting(db),
    waitingCount: async () => {
      const counted = waiting().select(({ fn }) => fn.countAll<number>().as('count'));
      return (await counted.executeTakeFirstOrThrow()).count;
    },
    overdue: async (nowMs) => {
      const due = waiting().where('due_at_ms', '<=', nowMs);
      const found = due.select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('due_at_ms').as('since')]);
      const { count, since } = await found.executeTakeFirstOrThrow();
      return { count, sinceMs: count === 0 ? undefined : Number(since) };
    },
    stillDue: async (message) => {
      const found = waiting().where('id', '=', message.id).where('key', '=', message.key).select('id');
      const [row, state] = await Promise.all([found.executeTakeFirst(), readEventState(db, message)]);
      return row === undefined ? 'not-waiting' : state;
    },
    record: (record) => db.transaction().execute((work) => recordAttempt(work, record)),
    postpone: async ({ id, key }, dueAtMs) => {
      const row = db.updateTable('notify_message').set({ due_at_ms: dueAtMs }).where('id', '=', id);
      await row.where('key', '=', key).where('state', '=', stateLiteral('waiting')).execute();
    },
    finish: async ({ id, key }, end) => {
      const row = db.updateTable('notify_message').set(endColumns(end)).where('id', '=', id).where('key', '=', key);
      const { numUpdatedRows } = await row.where('state', '=', stateLiteral('waiting')).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    finishOfSender: async (sender, { firstDueBeforeMs, limit }, end) => {
      const old = waiting()
        .where('sender', '=', sender)
        .where('first_due_at_ms', '<', firstDueBeforeMs)
        .select('id')
        .orderBy('due_at_ms')
        .limit(limit);
      const rows = db.updateTable('notify_message').set(endColumns(end)).where('id', 'in', old);
      return (await rows.returning('id').execute()).map(({ id }) => id);
    },
  };
}

function endColumns({ state, answer, atMs }: MessageEnd) {
  return { state: stateNumber(state), answer, finished_at_ms: atMs };
}

/** Goes from sender to sender in the index of waiting messages, however many messages each has. */
async function sendersWaiting(db: StoreDb): Promise<readonly number[]> {
  const senders: number[] = [];
  for (let after = 0; ; ) {
    const next = db.selectFrom('notify_message').where('state', '=', stateLiteral('waiting')).select('sender');
    const found = await next.where('sender', '>', after).orderBy('sender').limit(1).executeTakeFirst();
    if (found === undefined) return senders;
    senders.push(found.sender);
    after = found.sender;
  }
}
