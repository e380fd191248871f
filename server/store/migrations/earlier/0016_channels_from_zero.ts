import type { Migration } from '../migration.ts';

export const channelsFromZero: Migration = {
  version: 16,
  name: 'terminals that count their channels from zero',
  async up({ schema }) {
    await schema
      .alterTable('device')
      .addColumn('channels_from_zero', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
