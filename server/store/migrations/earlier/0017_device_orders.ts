import { type Migration, withSerial } from '../migration.ts';

export const deviceOrders: Migration = {
  version: 17,
  name: 'commands to terminals',
  async up({ schema }, engine) {
    // No reference to the incarnation: deleting a device stays one small statement, and its orders go in parts.
    await withSerial(schema.createTable('device_order'), engine, 'id')
      .addColumn('token', 'text', (c) => c.notNull().unique())
      .addColumn('incarnation', 'bigint', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('requested_by', 'bigint')
      .addColumn('requested_by_name', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('reference', 'bigint')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('result', 'integer')
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('sent_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('finished_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .createIndex('device_order_by_device')
      .on('device_order')
      .columns(['incarnation', 'created_at_ms', 'id'])
      .execute();
    // Unfinished orders have 0: a start reads them by this index, and orders past their retention are found by it.
    await schema.createIndex('device_order_by_finish').on('device_order').columns(['finished_at_ms', 'id']).execute();
  },
};
