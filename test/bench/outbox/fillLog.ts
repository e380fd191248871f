// Three months of messages of two fleets, made by the database itself.
import { type RawBuilder, sql } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Stores } from '../../../server/store/stores.ts';

export const NOW_MS = 1_795_000_000_000;
const DAY_MS = 86_400_000;
export const KEPT_MS = 90 * DAY_MS;
const SENDERS = 10;
const RULES = 50;
/** The rule of one message in twenty thousand. */
export const RARE_RULE = 1_000;
const DEVICES = 10_000;
/** Each event has two messages. */
const MESSAGES_AN_EVENT = 2;
/** One message in this many belongs to the small fleet. */
const SMALL_FLEET_SHARE = 10;
/** One message in this many is a digest, which has DIGEST_EVENTS more events. */
const DIGEST_SHARE = 20;
const DIGEST_EVENTS = 3;
const ROWS_A_STATEMENT = 250_000;
/** A body as long as that of a webhook. */
const BODY = 'x'.repeat(800);

/** Gives the member group of nearly all messages, whose log is read. */
export async function fillLog(db: StoreDb, stores: Stores, isPostgres: boolean, messages: number): Promise<number> {
  const large = await stores.memberGroups.insert({ name: 'Large' });
  const small = await stores.memberGroups.insert({ name: 'Small' });
  for (let from = 0; from < messages; from += ROWS_A_STATEMENT) {
    const to = Math.min(messages, from + ROWS_A_STATEMENT);
    await addMessages(db, { numbers: numbersOf(isPostgres, from, to), stepMs: KEPT_MS / messages, large, small });
  }
  await addDigests(db);
  await sql.raw(isPostgres ? 'vacuum analyze' : 'analyze').execute(db);
  return large;
}

interface Part {
  /** A table with the column x. */
  readonly numbers: RawBuilder<unknown>;
  /** Time between two messages. */
  readonly stepMs: number;
  readonly large: number;
  readonly small: number;
}

function numbersOf(isPostgres: boolean, from: number, to: number): RawBuilder<unknown> {
  const [first, last] = [sql.raw(String(from)), sql.raw(String(to - 1))];
  return isPostgres
    ? sql`(select x from generate_series(${first}::bigint, ${last}::bigint) as g(x)) as n`
    : sql`(with recursive n(x) as (select ${first} union all select x + 1 from n where x < ${last}) select x from n) as n`;
}

/**
 * Nearly all messages were sent; some of the last hour still wait. `y` shuffles the numbers (the generator of Lewis, Goodman and
 * Miller), so that nothing depends on anything else.
 */
async function addMessages(db: StoreDb, { numbers, stepMs, large, small }: Part): Promise<void> {
  const number = (value: number) => sql.raw(String(value));
  const made = sql`cast(${number(NOW_MS - KEPT_MS)} + x * ${number(stepMs)} as bigint)`;
  const state = sql`case when made > ${number(NOW_MS - DAY_MS / 24)} and y / 100 % 10 = 0 then 0 when y % 100 < 96 then 1
    when y % 100 < 98 then 2 else 3 end`;
  await sql`insert into notify_message (key, member_group, rule, rule_name, step, sender, sender_name, kind, template, language,
      user_id, address, recipient, event_id, event_begin_at_ms, archive_number, device_id, device_name, type, severity, events,
      digest_key, waits_quiet, repeat_ms, repeat_until_ms, state, created_at_ms, due_at_ms, first_due_at_ms, finished_at_ms,
      attempts, by_hand, subject, body, answer)
    select 'key-' || x, case when y % ${number(SMALL_FLEET_SHARE)} = 0 then ${number(small)} else ${number(large)} end,
      case when y / 10 % 20000 = 0 then ${number(RARE_RULE)} else 1 + y / 10 % ${number(RULES)} end, 'Rule', 1, 1 + y / 2000 % ${number(SENDERS)}, 'Sender', 1, 0, 'en',
      null, '', 'Service', 1 + x / ${number(MESSAGES_AN_EVENT)}, made, device, 'DEV' || device, 'Bus ' || device, 'speeding', y % 4,
      case when y / 7 % ${number(DIGEST_SHARE)} = 0 then ${number(1 + DIGEST_EVENTS)} else 1 end,
      case when y / 7 % ${number(DIGEST_SHARE)} = 0 then 'digest' else '' end, 0, 0, 0, ${state}, made, made, made,
      case when ${state} = 0 then 0 else made + 500 end, 1, 0, 'Speeding', ${sql.raw(`'${BODY}'`)}, '200 OK'
    from (select x, y, ${made} as made, y / 300 % ${number(DEVICES)} as device
      from (select x, x * 16807 % 2147483647 as y from ${numbers}) as shuffled) as timed`.execute(db);
}

/** Adds the events that joined the digests. */
async function addDigests(db: StoreDb): Promise<void> {
  for (let at = 1; at <= DIGEST_EVENTS; at++) {
    await sql`insert into notify_digest_event (message_id, event_id, event_begin_at_ms)
      select id, event_id + ${sql.raw(String(at))}, event_begin_at_ms from notify_message where digest_key <> ''`.execute(
      db,
    );
  }
}
