import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

export const knownBrowsers: Migration = {
  version: 15,
  name: 'browsers that have signed in before, and who issued an invitation',
  async up(db) {
    const { schema } = db;
    await schema
      .createTable('known_browser')
      .addColumn('token_hash', 'text', (c) => c.notNull())
      .addColumn('user_id', 'bigint', (c) => c.notNull().references('app_user.id').onDelete('cascade'))
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('code_failures', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('code_wait_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('known_browser_key', ['token_hash', 'user_id'])
      .execute();
    await schema.createIndex('known_browser_by_user').on('known_browser').column('user_id').execute();
    // Nobody can say who issued those that are under way, and a link without an issuer is not to be used.
    await sql`delete from invitation`.execute(db);
    await schema
      .alterTable('invitation')
      .addColumn('issued_by', 'bigint', (c) => c.references('app_user.id').onDelete('cascade'))
      .execute();
  },
};
