import type { Migration } from './migration.ts';

export const gateways: Migration = {
  version: 32,
  name: 'gateways that run on the database, and versions of the product that have',
  async up({ schema }) {
    await schema
      .createTable('gateway')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('started_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('seen_at_ms', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createTable('product_version')
      .addColumn('version', 'text', (c) => c.primaryKey())
      .addColumn('first_at_ms', 'bigint', (c) => c.notNull())
      .execute();
  },
};
