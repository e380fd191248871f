// Messages of an event that wait are canceled when a user answers it: in the transaction of the action.
import { type RawBuilder, sql } from 'kysely';
import { answeredBy, MESSAGE_STATES } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { lockingRows } from '../engine/lockingRows.ts';

export interface Answered {
  readonly events: readonly number[];
  readonly atMs: number;
  /** Username. */
  readonly by: string;
}

/** A message that doesn't wait any more, or a digest that covers fewer events. */
export interface CanceledMessage {
  readonly id: number;
  readonly sender: number;
  readonly memberGroup: number;
}

interface WaitingMessage extends CanceledMessage {
  readonly isDigest: boolean;
}

const MESSAGES_PER_STATEMENT = 1_000;
const WAITING = sql.lit(MESSAGE_STATES.indexOf('waiting'));

export async function cancelAnswered(work: StoreDb, answered: Answered): Promise<CanceledMessage[]> {
  if (answered.events.length === 0) return [];
  const waiting = await lockedMessages(work, answered.events);
  for (let start = 0; start < waiting.length; start += MESSAGES_PER_STATEMENT) {
    const part = waiting.slice(start, start + MESSAGES_PER_STATEMENT);
    const digests = part.filter(({ isDigest }) => isDigest).map(({ id }) => id);
    const alone = part.filter(({ isDigest }) => !isDigest).map(({ id }) => id);
    if (alone.length > 0) await cancelAll(work, alone, answered);
    if (digests.length === 0) continue;
    await leaveDigests(work, digests, answered.events);
    await recountDigests(work, digests);
    await cancelEmptyDigests(work, digests, answered);
  }
  return waiting.map(({ id, sender, memberGroup }) => ({ id, sender, memberGroup }));
}

/**
 * Locks the waiting messages before any of them is changed. An event that joins a digest locks it until both are stored: a count before
 * that on PostgreSQL would miss the event, and the digest would be canceled as empty.
 */
async function lockedMessages(work: StoreDb, events: readonly number[]): Promise<WaitingMessage[]> {
  const firsts = work.selectFrom('notify_message').select('id').where('event_id', 'in', events);
  const joined = work.selectFrom('notify_digest_event').select('message_id as id').where('event_id', 'in', events);
  const waiting = work
    .selectFrom('notify_message')
    .select(['id', 'sender', 'member_group', 'digest_key'])
    .where('id', 'in', firsts.union(joined))
    .where('state', '=', WAITING)
    // The fixed order prevents two transactions from waiting for each other.
    .orderBy('id');
  const rows = await lockingRows(work, waiting).execute();
  return rows.map(({ id, sender, member_group, digest_key }) => {
    return { id, sender, memberGroup: member_group, isDigest: digest_key !== '' };
  });
}

function canceled({ atMs, by }: Answered) {
  return { state: MESSAGE_STATES.indexOf('canceled'), finished_at_ms: atMs, answer: answeredBy(by) };
}

async function cancelAll(work: StoreDb, ids: readonly number[], answered: Answered): Promise<void> {
  await work.updateTable('notify_message').set(canceled(answered)).where('id', 'in', ids).execute();
}

/** Sent messages keep the events that they covered. */
async function leaveDigests(work: StoreDb, digests: readonly number[], events: readonly number[]): Promise<void> {
  const left = work.deleteFrom('notify_digest_event').where('event_id', 'in', events);
  await left.where('message_id', 'in', digests).execute();
}

async function recountDigests(work: StoreDb, digests: readonly number[]): Promise<void> {
  const left: RawBuilder<number> = sql`(select count(*) from notify_digest_event
    where notify_digest_event.message_id = notify_message.id)`;
  await work.updateTable('notify_message').set({ events: left }).where('id', 'in', digests).execute();
}

async function cancelEmptyDigests(work: StoreDb, digests: readonly number[], answered: Answered): Promise<void> {
  const empty = work.updateTable('notify_message').set(canceled(answered)).where('id', 'in', digests);
  await empty.where('events', '=', 0).execute();
}
