// The outcome of one attempt, stored in the caller's transaction.
import { sql } from 'kysely';
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  type MessageState,
} from '../../../../shared/protocol/notify/notifyWords.ts';
import { storableText } from '../../../limits/storableText.ts';
import type { StoreDb } from '../../engine/database.ts';
import { lockingRows } from '../../engine/lockingRows.ts';
import { toMessageRow } from '../messageRow.ts';
import type { PlannedMessage, StoredMessage } from '../plannedMessage.ts';
import { readEventState } from './eventState.ts';
import { stateNumber } from './messageRows.ts';

export interface AttemptRecord {
  readonly message: StoredMessage;
  readonly attempt: {
    readonly atMs: number;
    readonly tookMs: number;
    readonly outcome: AttemptOutcome;
    readonly answer: string;
    /** Whether it tells something about the sender: a message that could not be composed doesn't. */
    readonly concernsSender: boolean;
  };
  readonly next: {
    readonly state: Extract<MessageState, 'sent' | 'waiting' | 'failed'>;
    /** Time of the next attempt, if the message waits for one. */
    readonly dueAtMs: number;
  };
  /** The text that was sent; later attempts send the same. */
  readonly subject: string;
  readonly body: string;
  /** Added when the message was sent and its event is still unanswered. */
  readonly repeat?: PlannedMessage | undefined;
}

export interface RecordedAttempt {
  /** The message's state follows from the attempt: it was not changed by anyone else meanwhile. */
  readonly isTaken: boolean;
  /** Id of the repeat that was added. */
  readonly repeatId: number | undefined;
}

const MAX_ANSWER = 1_000;
/**
 * Maximum of the column. A clock that is set during an attempt, as at the start of a machine without one, may make the attempt seem to take
 * years.
 */
const MAX_TOOK_MS = 2 ** 31 - 1;

export async function recordAttempt(work: StoreDb, record: AttemptRecord): Promise<RecordedAttempt> {
  const before = await stateBefore(work, record.message);
  const isThere = before !== undefined;
  if (isThere) await addAttempt(work, record);
  const isTaken = isThere && (await changeMessage(work, record));
  // A message that was canceled while it was being sent is not repeated.
  const mayRepeat = isTaken && before === stateNumber('waiting');
  const repeatId = mayRepeat ? await addRepeat(work, record) : undefined;
  // At the end, since other attempts of the sender wait for this row until the commit.
  if (record.attempt.concernsSender) await noteSender(work, record);
  return { isTaken, repeatId };
}

/** Gives the id of the repeat. */
async function addRepeat(work: StoreDb, { message, next, repeat }: AttemptRecord): Promise<number | undefined> {
  if (next.state !== 'sent' || repeat === undefined) return undefined;
  if ((await readEventState(work, message)) !== 'open') return undefined;
  const row = work.insertInto('notify_message').values(toMessageRow(repeat, message.eventId)).returning('id');
  const { id } = await row.executeTakeFirstOrThrow();
  await copyDigest(work, message, id);
  return id;
}

/** Undefined: the message was deleted with its member group while it was being sent. */
async function stateBefore(work: StoreDb, { id }: StoredMessage): Promise<number | undefined> {
  const row = work.selectFrom('notify_message').select('state').where('id', '=', id);
  return (await lockingRows(work, row).executeTakeFirst())?.state;
}

async function addAttempt(work: StoreDb, { message, attempt }: AttemptRecord): Promise<void> {
  const { atMs, tookMs, outcome, answer } = attempt;
  const row = {
    message_id: message.id,
    at_ms: atMs,
    took_ms: Math.min(Math.round(tookMs), MAX_TOOK_MS),
    outcome: ATTEMPT_OUTCOMES.indexOf(outcome),
    answer: bounded(answer),
  };
  await work.insertInto('notify_attempt').values(row).execute();
}

/**
 * A user may have canceled the message while it was being sent. If the other side accepted it, it counts as sent; otherwise it stays
 * canceled. A message that was sent again by hand meanwhile has another key, and is left alone.
 */
async function changeMessage(work: StoreDb, record: AttemptRecord): Promise<boolean> {
  const { message, attempt, next, subject, body } = record;
  const endsAtMs = attempt.atMs + Math.round(attempt.tookMs);
  const taken = next.state === 'sent' ? [stateNumber('waiting'), stateNumber('canceled')] : [stateNumber('waiting')];
  const update = work
    .updateTable('notify_message')
    .set({
      state: stateNumber(next.state),
      due_at_ms: next.state === 'waiting' ? next.dueAtMs : message.dueAtMs,
      finished_at_ms: next.state === 'waiting' ? 0 : endsAtMs,
      attempts: sql<number>`attempts + 1`,
      answer: bounded(attempt.answer),
      subject: storableText(subject),
      body: storableText(body),
    })
    .where('id', '=', message.id)
    .where('key', '=', message.key)
    .where('state', 'in', taken);
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Doesn't change the sender's version: its success or failure isn't an edit. */
async function noteSender(work: StoreDb, { message, attempt }: AttemptRecord): Promise<void> {
  const atMs = attempt.atMs + Math.round(attempt.tookMs);
  const sender = work.updateTable('notify_sender').where('id', '=', message.sender);
  if (attempt.outcome === 'sent') {
    await sender.set({ failures: 0, failing_since_ms: 0, last_sent_at_ms: atMs }).execute();
    return;
  }
  const since = sql<number>`case when failures = 0 then cast(${atMs} as bigint) else failing_since_ms end`;
  const failure = { last_failure_at_ms: atMs, last_failure: bounded(attempt.answer) };
  await sender.set({ failures: sql<number>`failures + 1`, failing_since_ms: since, ...failure }).execute();
}

/** A repeat covers the same events. */
async function copyDigest(work: StoreDb, { id, events, digestKey }: StoredMessage, repeatId: number): Promise<void> {
  if (digestKey === '') return;
  await work.updateTable('notify_message').set({ events }).where('id', '=', repeatId).execute();
  await work
    .insertInto('notify_digest_event')
    .columns(['message_id', 'event_id', 'event_begin_at_ms'])
    .expression(
      work
        .selectFrom('notify_digest_event')
        .where('message_id', '=', id)
        .select([sql<number>`cast(${repeatId} as bigint)`.as('message_id'), 'event_id', 'event_begin_at_ms']),
    )
    .execute();
}

function bounded(answer: string): string {
  return storableText(answer).slice(0, MAX_ANSWER);
}
