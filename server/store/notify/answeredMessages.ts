// What waits of an event is canceled when somebody answers it: in the transaction of the act.
import { type RawBuilder, sql } from 'kysely';
import { answeredBy, MESSAGE_STATES } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';

export interface Answered {
  readonly events: readonly number[];
  readonly atMs: number;
  /** User name. */
  readonly by: string;
}

/** A message that waits no more, or a digest that tells of fewer events. */
export interface CanceledMessage {
  readonly id: number;
  readonly sender: number;
  readonly memberGroup: number;
}

const DIGESTS_PER_STATEMENT = 1_000;
const WAITING = sql.lit(MESSAGE_STATES.indexOf('waiting'));

export async function cancelAnswered(work: StoreDb, answered: Answered): Promise<CanceledMessage[]> {
  if (answered.events.length === 0) return [];
  const alone = await cancelAlone(work, answered);
  const digests = await leaveDigests(work, answered.events);
  const changed: CanceledMessage[] = [];
  for (let start = 0; start < digests.length; start += DIGESTS_PER_STATEMENT) {
    const part = digests.slice(start, start + DIGESTS_PER_STATEMENT);
    await recountDigests(work, part);
    await cancelEmptyDigests(work, part, answered);
    changed.push(...(await messagesOf(work, part)));
  }
  return [...alone, ...changed];
}

function canceled({ atMs, by }: Answered) {
  return { state: MESSAGE_STATES.indexOf('canceled'), finished_at_ms: atMs, answer: answeredBy(by) };
}

async function cancelAlone(work: StoreDb, answered: Answered): Promise<CanceledMessage[]> {
  const rows = await work
    .updateTable('notify_message')
    .set(canceled(answered))
    .where('event_id', 'in', answered.events)
    .where('state', '=', WAITING)
    .where('digest_key', '=', '')
    .returning(['id', 'sender', 'member_group'])
    .execute();
  return rows.map(toCanceled);
}

/** Gives the ids of the digests. What was sent keeps the events that it told of. */
async function leaveDigests(work: StoreDb, events: readonly number[]): Promise<readonly number[]> {
  const waiting = work.selectFrom('notify_message').select('id').where('state', '=', WAITING);
  const rows = await work
    .deleteFrom('notify_digest_event')
    .where('event_id', 'in', events)
    .where('message_id', 'in', waiting.where('digest_key', '<>', sql.lit('')))
    .returning('message_id')
    .execute();
  return [...new Set(rows.map((row) => row.message_id))];
}

async function recountDigests(work: StoreDb, digests: readonly number[]): Promise<void> {
  const left: RawBuilder<number> = sql`(select count(*) from notify_digest_event
    where notify_digest_event.message_id = notify_message.id)`;
  await work.updateTable('notify_message').set({ events: left }).where('id', 'in', digests).execute();
}

async function cancelEmptyDigests(work: StoreDb, digests: readonly number[], answered: Answered): Promise<void> {
  const empty = work.updateTable('notify_message').set(canceled(answered)).where('id', 'in', digests);
  await empty.where('events', '=', 0).where('state', '=', WAITING).execute();
}

async function messagesOf(work: StoreDb, ids: readonly number[]): Promise<CanceledMessage[]> {
  const rows = work.selectFrom('notify_message').select(['id', 'sender', 'member_group']).where('id', 'in', ids);
  return (await rows.execute()).map(toCanceled);
}

function toCanceled(row: { readonly id: number; readonly sender: number; readonly member_group: number }) {
  return { id: row.id, sender: row.sender, memberGroup: row.member_group };
}
