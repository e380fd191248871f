// Whether somebody has answered what a message tells of. An event is answered once its status is no longer `new`.
import { sql } from 'kysely';
import { EVENT_STATUSES } from '../../../../shared/protocol/events/eventWords.ts';
import type { StoreDb } from '../../engine/database.ts';

/** `gone`: the event is not kept any more. Of a digest, the state of its most open event. */
export type EventState = 'open' | 'answered' | 'gone';

const NEW = EVENT_STATUSES.indexOf('new');

interface ToldEvents {
  readonly id: number;
  readonly eventId: number;
  readonly eventBeginAtMs: number;
  readonly digestKey: string;
}

export async function readEventState(db: StoreDb, message: ToldEvents): Promise<EventState> {
  const first = await statusOf(db, message);
  if (first === NEW) return 'open';
  const isAnswered = first !== undefined;
  if (message.digestKey === '') return isAnswered ? 'answered' : 'gone';
  const others = await bestOfDigest(db, message.id);
  if (others === NEW) return 'open';
  return isAnswered || others !== undefined ? 'answered' : 'gone';
}

/** With the begin, which says in which month's table PostgreSQL has it. */
async function statusOf(db: StoreDb, { eventId, eventBeginAtMs }: ToldEvents): Promise<number | undefined> {
  const event = db.selectFrom('event').select('status').where('id', '=', eventId);
  return (await event.where('begin_at_ms', '=', eventBeginAtMs).executeTakeFirst())?.status;
}

/** The lowest status: `new` is the first of them. */
async function bestOfDigest(db: StoreDb, messageId: number): Promise<number | undefined> {
  const joined = db
    .selectFrom('notify_digest_event as joined')
    .innerJoin('event', (join) =>
      join.onRef('event.id', '=', 'joined.event_id').onRef('event.begin_at_ms', '=', 'joined.event_begin_at_ms'),
    )
    .where('joined.message_id', '=', messageId)
    .select(sql<number | null>`min(event.status)`.as('best'));
  return (await joined.executeTakeFirst())?.best ?? undefined;
}
