import type { Kysely } from 'kysely';
import type { Migration } from './migration.ts';

export const arrivals: Migration = {
  version: 34,
  name: 'when the positions of a block came, and trips with an odometer that says something else',
  async up(db) {
    await addArrivals(db);
    await db.schema
      .alterTable('trip')
      .addColumn('odometer_differs', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};

/** Blocks are few, and each is written some times a day at most: two more indices of them cost next to nothing. */
async function addArrivals({ schema }: Kysely<unknown>): Promise<void> {
  // 0: it was packed before, and nobody has noted it. To find it out, each block would have to be unpacked.
  await schema
    .alterTable('position_block')
    .addColumn('received_from_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  for (const end of ['from', 'to'])
    await schema
      .createIndex(`position_block_received_${end}`)
      .on('position_block')
      .columns(['incarnation', `received_${end}_ms`])
      .execute();
}
