import type { Migration } from '../migration.ts';

export const linksAndAudit: Migration = {
  version: 10,
  name: 'what links are for and how they are used, and what changes were before and after',
  async up({ schema }) {
    const link = () => schema.alterTable('link_credential');
    await link()
      .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await link()
      .addColumn('last_used_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await link()
      .addColumn('use_count', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await link()
      .addColumn('last_address', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    const audit = () => schema.alterTable('audit');
    await audit()
      .addColumn('before_change', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await audit()
      .addColumn('after_change', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    // The list is sorted by id, which is the order of time; these are for its filters.
    await schema.createIndex('audit_by_actor').on('audit').columns(['actor', 'id']).execute();
    await schema.createIndex('audit_by_target').on('audit').columns(['target', 'id']).execute();
  },
};
