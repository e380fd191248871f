import type { Migration } from '../migration.ts';

export const controls: Migration = {
  version: 5,
  name: 'cameras that turn and channels that can be talked to',
  async up({ schema }) {
    await schema
      .alterTable('device')
      .addColumn('ptzchs', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await schema
      .alterTable('device')
      .addColumn('talkchs', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
