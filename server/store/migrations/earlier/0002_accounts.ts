import type { Kysely } from 'kysely';
import { type Engine, type Migration, withSerial } from '../migration.ts';

export const accounts: Migration = {
  version: 2,
  name: 'users, sessions and link credentials',
  async up(db, engine) {
    await createUsers(db, engine);
    await createSessions(db);
    await createLinkCredentials(db, engine);
  },
};

async function createUsers({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('app_user'), engine, 'id')
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('disabled', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('wall_monitor_allowed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('member_group', 'bigint', (c) => c.references('member_group.serialno').onDelete('set null'))
    .addColumn('language', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('password_changed_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('app_user_member_group')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('member_group', 'bigint', (c) => c.notNull().references('member_group.serialno').onDelete('cascade'))
    .addPrimaryKeyConstraint('app_user_member_group_key', ['user_id', 'member_group'])
    .execute();
}

async function createSessions({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('session')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('member_group', 'bigint', (c) => c.references('member_group.serialno').onDelete('set null'))
    .addColumn('wall_monitor', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('idle_ends_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('ends_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('session_by_user').on('session').column('user_id').execute();
  await schema
    .createTable('frame_token')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id_hash', 'text', (c) => c.notNull().references('session.id_hash').onDelete('cascade'))
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('frame_token_by_session').on('frame_token').column('session_id_hash').execute();
}

async function createLinkCredentials({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(schema.createTable('link_credential'), engine, 'id')
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('owner_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('device_id', 'text', (c) => c.notNull().references('device.device_id').onDelete('cascade'))
    .addColumn('channel_mask', 'bigint', (c) => c.notNull())
    .addColumn('kinds', 'integer', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('session_id_hash', 'text', (c) => c.references('session.id_hash').onDelete('cascade'))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('link_credential_by_owner').on('link_credential').column('owner_id').execute();
  await schema.createIndex('link_credential_by_device').on('link_credential').column('device_id').execute();
  await schema.createIndex('link_credential_by_session').on('link_credential').column('session_id_hash').execute();
}
