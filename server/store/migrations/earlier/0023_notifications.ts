import { type Kysely, sql } from 'kysely';
import { type Engine, type Migration, withSerial } from '../migration.ts';

export const notifications: Migration = {
  version: 23,
  name: 'notifications',
  async up(db, engine) {
    await addToMembers(db);
    await createRules(db, engine);
    await createSenders(db, engine);
    await createTemplates(db, engine);
    await createMessages(db, engine);
    await createAttempts(db, engine);
    await createSubscriptions(db, engine);
  },
};

async function addToMembers({ schema }: Kysely<unknown>): Promise<void> {
  // What a member has chosen is JSON; '' stands for what everybody begins with.
  for (const column of ['email', 'phone', 'notify_choices']) {
    await schema
      .alterTable('app_user')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  }
}

async function createRules({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('notify_rule'), engine, 'id')
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_by', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await schema.createIndex('notify_rule_by_member_group').on('notify_rule').column('member_group').execute();
}

async function createSenders({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('notify_sender'), engine, 'id')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('per_minute', 'integer', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failing_since_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_sent_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_failure_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('last_failure', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}

async function createTemplates({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('notify_template'), engine, 'id')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('fallback', 'text', (c) => c.notNull())
    .addColumn('texts', 'text', (c) => c.notNull())
    .addColumn('changed_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('changed_by', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
}

async function createMessages(db: Kysely<unknown>, engine: Engine): Promise<void> {
  // No reference to rule, sender or event: the log outlives all three.
  await withSerial(db.schema.createTable('notify_message'), engine, 'id')
    .addColumn('key', 'text', (c) => c.notNull().unique())
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addColumn('rule', 'bigint', (c) => c.notNull())
    .addColumn('rule_name', 'text', (c) => c.notNull())
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('sender', 'bigint', (c) => c.notNull())
    .addColumn('sender_name', 'text', (c) => c.notNull())
    .addColumn('kind', 'integer', (c) => c.notNull())
    .addColumn('template', 'bigint', (c) => c.notNull())
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('user_id', 'bigint')
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('event_begin_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('archive_number', 'bigint', (c) => c.notNull())
    .addColumn('device_id', 'text', (c) => c.notNull())
    .addColumn('device_name', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('severity', 'integer', (c) => c.notNull())
    .addColumn('events', 'integer', (c) => c.notNull())
    .addColumn('digest_key', 'text', (c) => c.notNull())
    .addColumn('waits_quiet', 'integer', (c) => c.notNull())
    .addColumn('repeat_ms', 'bigint', (c) => c.notNull())
    .addColumn('repeat_until_ms', 'bigint', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('due_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('first_due_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('finished_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('by_hand', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('subject', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('body', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('answer', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  for (const [name, columns] of Object.entries(MESSAGE_INDEXES)) {
    await sql`create index ${sql.ref(`notify_message_by_${name}`)} on notify_message ${sql.raw(columns)}`.execute(db);
  }
  await db.schema
    .createTable('notify_digest_event')
    .addColumn('message_id', 'bigint', (c) => c.notNull().references('notify_message.id').onDelete('cascade'))
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('event_begin_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('notify_digest_event_key', ['message_id', 'event_id'])
    .execute();
  await db.schema.createIndex('notify_digest_event_by_event').on('notify_digest_event').column('event_id').execute();
}

/**
 * 0 is `waiting`. Lists are of one member group, the newest first; with the columns of the other filters behind, a list by two of
 * them is found without a look at each row.
 */
const MESSAGE_INDEXES = {
  due: '(sender, due_at_ms, id) where state = 0',
  digest: "(digest_key) where state = 0 and digest_key <> ''",
  time: '(created_at_ms)',
  group: '(member_group, created_at_ms, id)',
  state: '(member_group, state, created_at_ms, id, sender, rule, device_id)',
  sender: '(member_group, sender, created_at_ms, id, state, rule, device_id)',
  rule: '(member_group, rule, created_at_ms, id, state, sender, device_id)',
  device: '(member_group, device_id, created_at_ms, id, state, sender, rule)',
  event: '(event_id)',
  finish: '(member_group, finished_at_ms, state) where state <> 0',
};

async function createAttempts({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('notify_attempt'), engine, 'id')
    .addColumn('message_id', 'bigint', (c) => c.notNull().references('notify_message.id').onDelete('cascade'))
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('took_ms', 'integer', (c) => c.notNull())
    .addColumn('outcome', 'integer', (c) => c.notNull())
    .addColumn('answer', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('notify_attempt_by_message').on('notify_attempt').columns(['message_id', 'id']).execute();
}

async function createSubscriptions({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('push_subscription'), engine, 'id')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('endpoint_hash', 'text', (c) => c.notNull().unique())
    .addColumn('sealed', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('push_subscription_by_user').on('push_subscription').column('user_id').execute();
}
