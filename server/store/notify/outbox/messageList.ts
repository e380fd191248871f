// The log of messages, as members of a group read it.
import { type ExpressionBuilder, sql } from 'kysely';
import type {
  NotifyCounts,
  NotifyMessage,
  NotifyMessageDetail,
  NotifyMessageSort,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { ATTEMPT_OUTCOMES, MESSAGE_STATES, type MessageState } from '../../../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { StoreDb } from '../../engine/database.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest } from '../../engine/listPage.ts';
import type { Schema } from '../../schema.ts';
import { LISTED_COLUMNS, stateLiteral, stateNumber, toNotifyMessage } from './messageRows.ts';

export interface MessageFilter {
  readonly state?: MessageState | undefined;
  readonly sender?: number | undefined;
  readonly rule?: number | undefined;
  /** Includes digests that the event joined. */
  readonly event?: number | undefined;
  readonly deviceId?: string | undefined;
  /** Half-open span of the creation time. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

interface MessageQuery extends PageRequest<NotifyMessageSort>, MessageFilter {
  readonly memberGroup: number;
}

/** A message and the member group whose log it is in. */
export interface LoggedMessage {
  readonly memberGroup: number;
  readonly message: NotifyMessage;
}

export interface MessageListStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: MessageQuery): Promise<FoundPage<NotifyMessage> | undefined>;
  detail(memberGroup: number, id: number): Promise<NotifyMessageDetail | undefined>;
  counts(memberGroup: number, nowMs: number): Promise<NotifyCounts>;
  /** Some of these messages, independent of the reader, ordered by id. */
  rowsOf(ids: readonly number[]): Promise<readonly LoggedMessage[]>;
  /** Ids of the messages that exist. */
  idsOf(keys: readonly string[]): Promise<number[]>;
}

const DAY_MS = 24 * 60 * 60_000;
/** A message is tried some thirty times in its day; one that is resent by hand again and again shows its latest attempts. */
const SHOWN_ATTEMPTS = 100;

export function createMessageListStore(reading: StoreDb): MessageListStore {
  return {
    page: async (query) => {
      const rows = reading
        .selectFrom('notify_message')
        .select(LISTED_COLUMNS)
        .where((is) => matches(is, query));
      const keys = [numberColumn('notify_message.created_at_ms'), numberColumn('notify_message.id')];
      return mapRows(await listPage(reading, { rows, keys }, query), toNotifyMessage);
    },
    detail: (memberGroup, id) => detailOf(reading, memberGroup, id),
    counts: (memberGroup, nowMs) => countsOf(reading, memberGroup, nowMs),
    idsOf: async (keys) => {
      const rows = reading.selectFrom('notify_message').select('id').where('key', 'in', keys);
      return (await rows.execute()).map(({ id }) => id);
    },
    rowsOf: async (ids) => {
      const rows = reading.selectFrom('notify_message').select(LISTED_COLUMNS).select('member_group');
      const found = await rows.where('id', 'in', ids).orderBy('id').execute();
      return found.map((row) => ({ memberGroup: row.member_group, message: toNotifyMessage(row) }));
    },
  };
}

type Is = ExpressionBuilder<Schema, 'notify_message'>;

function matches(is: Is, { memberGroup, state, sender, rule, event, deviceId, fromMs, toMs }: MessageQuery) {
  return is.and([
    is(event === undefined ? 'member_group' : UNORDERED_GROUP, '=', memberGroup),
    ...(state === undefined ? [] : [is('state', '=', stateNumber(state))]),
    ...(sender === undefined ? [] : [is('sender', '=', sender)]),
    ...(rule === undefined ? [] : [is('rule', '=', rule)]),
    ...(deviceId === undefined ? [] : [is('device_id', '=', deviceId)]),
    ...(fromMs === undefined ? [] : [is('created_at_ms', '>=', fromMs)]),
    ...(toMs === undefined ? [] : [is('created_at_ms', '<', toMs)]),
    ...(event === undefined ? [] : [tellsOf(is, event)]),
  ]);
}

/** Avoids the index that has the group's messages in the order of the list: SQLite would look at all of them for the few of an event. */
const UNORDERED_GROUP = sql<number>`+notify_message.member_group`;

function tellsOf(is: Is, event: number) {
  const firsts = is.selectFrom('notify_message as first').where('first.event_id', '=', event).select('first.id');
  const digests = is.selectFrom('notify_digest_event as joined').where('joined.event_id', '=', event);
  return is('notify_message.id', 'in', firsts.union(digests.select('joined.message_id as id')));
}

async function detailOf(db: StoreDb, memberGroup: number, id: number): Promise<NotifyMessageDetail | undefined> {
  const message = db.selectFrom('notify_message').select(LISTED_COLUMNS).select('body').where('id', '=', id);
  const row = await message.where('member_group', '=', memberGroup).executeTakeFirst();
  if (row === undefined) return undefined;
  const latest = db.selectFrom('notify_attempt').selectAll().where('message_id', '=', id).orderBy('id', 'desc');
  const attempts = await latest.limit(SHOWN_ATTEMPTS).execute();
  return {
    message: toNotifyMessage(row),
    body: row.body,
    attempts: attempts.reverse().map(({ at_ms, took_ms, outcome, answer }) => ({
      atMs: wallMs(at_ms),
      tookMs: took_ms,
      outcome: ATTEMPT_OUTCOMES[outcome] ?? 'retry',
      answer,
    })),
  };
}

async function countsOf(db: StoreDb, memberGroup: number, nowMs: number): Promise<NotifyCounts> {
  const ofGroup = db.selectFrom('notify_message').where('member_group', '=', memberGroup);
  const waiting = ofGroup.where('state', '=', stateLiteral('waiting'));
  const finished = ofGroup
    .where('state', '<>', stateLiteral('waiting'))
    .where('finished_at_ms', '>=', nowMs - DAY_MS)
    .groupBy('state')
    .select('state')
    .select(({ fn }) => fn.countAll<number>().as('count'));
  const [{ count }, rows] = await Promise.all([
    waiting.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    finished.execute(),
  ]);
  const countOf = (state: MessageState): number => rows.find((row) => MESSAGE_STATES[row.state] === state)?.count ?? 0;
  return { waiting: count, sent: countOf('sent'), failed: countOf('failed'), canceled: countOf('canceled') };
}
