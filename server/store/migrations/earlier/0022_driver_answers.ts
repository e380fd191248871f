import type { Migration } from '../migration.ts';

export const driverAnswers: Migration = {
  version: 22,
  name: 'answers of drivers',
  async up({ schema }) {
    await schema.alterTable('device_order').addColumn('sent_serial', 'integer').execute();
    await schema.alterTable('device_order').addColumn('answer_id', 'integer').execute();
    await schema
      .alterTable('device_order')
      .addColumn('answered_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
