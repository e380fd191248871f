import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

export const terminalCodes: Migration = {
  version: 14,
  name: 'codes of terminals that wait for their first use, shares of the list of unknown terminals',
  async up(db) {
    const { schema } = db;
    await schema.alterTable('device').addColumn('pending_code_hash', 'text').execute();
    await schema
      .alterTable('device')
      .addColumn('sign_in_address', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('device')
      .addColumn('approved_address', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('device')
      .addColumn('approved_until_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable('unknown_terminal')
      .addColumn('address_key', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    // Alike for IPv4. A terminal with an IPv6 address gets its key when it registers next.
    await sql`update unknown_terminal set address_key = address`.execute(db);
    await schema
      .createIndex('unknown_terminal_by_address')
      .on('unknown_terminal')
      .columns(['address_key', 'last_seen_at_ms'])
      .execute();
  },
};
