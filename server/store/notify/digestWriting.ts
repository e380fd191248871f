// Digests: an event joins a message that waits for more of its kind, or starts a new one.
import { sql } from 'kysely';
import { MESSAGE_STATES } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { lockingRows } from '../engine/lockingRows.ts';
import { toMessageRow } from './messageRow.ts';
import type { EventMessage, PlannedMessage } from './plannedMessage.ts';

/** Events join a digest until this long before it is due: then its sender takes it up, and its events must be known. */
const LAST_JOIN_MS = 10_000;
const KEYS_PER_STATEMENT = 500;
/** Rows of three columns each. */
const ROWS_PER_STATEMENT = 5_000;
const WAITING = MESSAGE_STATES.indexOf('waiting');

type Digest = {
  readonly dueAtMs: number;
  /** Begins of the events that join it, by event id. */
  readonly joined: Map<number, number>;
} & (
  | { readonly id: number }
  /** This batch starts the digest. */
  | { readonly id: undefined; readonly message: PlannedMessage; readonly firstEvent: number }
);

export class WaitingDigests {
  readonly #work: StoreDb;
  readonly #byKey = new Map<string, Digest[]>();

  /** `work`: the transaction in which the events are written. */
  constructor(work: StoreDb) {
    this.#work = work;
  }

  /** Locks the stored digests that the messages may join: no other transaction changes them until this one ends. */
  async read(messages: readonly EventMessage[]): Promise<void> {
    const keys = [...new Set(messages.map(({ message }) => message.digestKey))].filter((key) => key !== '');
    for (let start = 0; start < keys.length; start += KEYS_PER_STATEMENT) {
      const waiting = this.#work
        .selectFrom('notify_message')
        .select(['id', 'digest_key', 'due_at_ms'])
        .where('digest_key', 'in', keys.slice(start, start + KEYS_PER_STATEMENT))
        // The index has these conditions: it contains no other messages.
        .where('digest_key', '<>', sql.lit(''))
        .where('state', '=', sql.lit(WAITING))
        .where('attempts', '=', 0)
        .orderBy('id');
      for (const { id, digest_key, due_at_ms } of await lockingRows(this.#work, waiting).execute()) {
        this.#put(digest_key, { id, dueAtMs: due_at_ms, joined: new Map() });
      }
    }
  }

  add({ message, joinsFromMs }: EventMessage, eventId: number): void {
    // A recipient is never notified before the step is due, nor later than without the other events.
    const fromMs = Math.max(joinsFromMs, message.createdAtMs + LAST_JOIN_MS);
    const digests = this.#byKey.get(message.digestKey) ?? [];
    const waiting = digests.find(({ dueAtMs }) => dueAtMs >= fromMs && dueAtMs <= message.dueAtMs);
    const { joined } = waiting ?? this.#begin(message, eventId);
    joined.set(eventId, message.eventBeginAtMs);
  }

  async write(): Promise<void> {
    const rows: { message_id: number; event_id: number; event_begin_at_ms: number }[] = [];
    for (const digest of [...this.#byKey.values()].flat()) {
      if (digest.joined.size === 0) continue;
      const messageId = await this.#write(digest);
      for (const [eventId, beginAtMs] of digest.joined) {
        rows.push({ message_id: messageId, event_id: eventId, event_begin_at_ms: beginAtMs });
      }
    }
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + ROWS_PER_STATEMENT);
      await this.#work.insertInto('notify_digest_event').values(part).execute();
    }
  }

  #begin(message: PlannedMessage, firstEvent: number): Digest {
    const begun: Digest = { id: undefined, dueAtMs: message.dueAtMs, joined: new Map(), message, firstEvent };
    this.#put(message.digestKey, begun);
    return begun;
  }

  #put(key: string, digest: Digest): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [digest]);
    else known.push(digest);
  }

  /** Gives the message's id. */
  async #write(digest: Digest): Promise<number> {
    const events = digest.joined.size;
    if (digest.id !== undefined) {
      const update = this.#work.updateTable('notify_message').set(({ eb }) => ({ events: eb('events', '+', events) }));
      await update.where('id', '=', digest.id).execute();
      return digest.id;
    }
    const row = { ...toMessageRow(digest.message, digest.firstEvent), events };
    const insert = this.#work.insertInto('notify_message').values(row).returning('id');
    return (await insert.executeTakeFirstOrThrow()).id;
  }
}
