import { type Kysely, sql } from 'kysely';
import { type Engine, type Migration, withSerial } from '../migration.ts';

export const membership: Migration = {
  version: 8,
  name: 'roles, invitations, second factors and the versions of members and groups',
  async up(db, engine) {
    await createRoles(db, engine);
    await extendUsers(db);
    await createSecondFactors(db.schema);
    await createInvitations(db.schema);
  },
};

const OPERATOR = ['event', 'report', 'membergroup', 'export'];
const MANAGER = [...OPERATOR, 'system', 'devicegroup', 'member', 'eventconfig', 'fence', 'evidence', 'link'];
/** What there was to hold when this step was written; the administrator's own list is never read. */
const EVERYTHING = [
  'event',
  'report',
  'fwupdate',
  'datasync',
  'netflow',
  'system',
  'devicegroup',
  'member',
  'eventconfig',
  'eventnotifyconfig',
  'eventdefine',
  'fence',
  'gmsversion',
  'sender',
  'template',
  'sysbackup',
  'membergroup',
  'export',
  'evidence',
  'link',
  'audit',
];

async function createRoles(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await withSerial(db.schema.createTable('role'), engine, 'id')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull().unique())
    .addColumn('built_in', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('second_factor_required', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  const roles = { Operator: OPERATOR, Manager: MANAGER, Administrator: EVERYTHING };
  for (const [name, permissions] of Object.entries(roles)) {
    const key = name.toLowerCase();
    await sql`insert into role (name, name_key, built_in, permissions)
      values (${name}, ${key}, ${key}, ${JSON.stringify(permissions)})`.execute(db);
  }
}

async function extendUsers(db: Kysely<unknown>): Promise<void> {
  const users = () => db.schema.alterTable('app_user');
  await users()
    .addColumn('role', 'bigint', (c) => c.references('role.id'))
    .execute();
  for (const column of ['display_name', 'time_zone', 'search_key']) {
    await users()
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  }
  for (const column of ['expires_at_ms', 'last_sign_in_at_ms']) {
    await users()
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  }
  for (const table of ['app_user', 'member_group']) {
    await db.schema
      .alterTable(table)
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  }
  await sql`update app_user set search_key = username_key`.execute(db);
  await sql`update app_user set role = (select id from role where built_in = 'administrator')
    where permissions = ${JSON.stringify(EVERYTHING)}`.execute(db);
  await db.schema.createIndex('app_user_by_role').on('app_user').column('role').execute();
  await db.schema.createIndex('user_of_member_group').on('app_user_member_group').column('member_group').execute();
}

async function createSecondFactors(schema: Kysely<unknown>['schema']): Promise<void> {
  await schema
    .createTable('second_factor')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('app_user.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('pending_secret', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('last_step', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('wait_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('recovery_code')
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'code_hash'])
    .execute();
  await schema
    .createTable('sign_in_step')
    .addColumn('ticket_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
    .addColumn('wall_monitor', 'integer', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
}

async function createInvitations(schema: Kysely<unknown>['schema']): Promise<void> {
  await schema
    .createTable('invitation')
    .addColumn('user_id', 'bigint', (c) => c.primaryKey().references('app_user.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
}
