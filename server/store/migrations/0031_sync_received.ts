import type { Migration } from './migration.ts';

/** The bytes of the last day only: earlier days are never read. */
export const syncReceived: Migration = {
  version: 31,
  name: 'what sync rules have received from devices in a day',
  async up({ schema }) {
    await schema
      .createTable('sync_received')
      .addColumn('rule', 'bigint', (c) => c.notNull().references('sync_rule.id').onDelete('cascade'))
      .addColumn('incarnation', 'bigint', (c) =>
        c.notNull().references('device_incarnation.incarnation').onDelete('cascade'),
      )
      .addColumn('day_ms', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sync_received_key', ['rule', 'incarnation'])
      .execute();
  },
};
