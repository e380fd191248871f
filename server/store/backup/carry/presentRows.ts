// What the present database has, for a comparison with an archive.
import { sql } from 'kysely';
import type { StoreDb } from '../../engine/database.ts';

export async function countRows(db: StoreDb, table: string): Promise<number> {
  const { rows } = await sql<{ readonly n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.n);
}

/** Rows with a later time. */
export async function countSince(db: StoreDb, table: string, column: string, atMs: number): Promise<number> {
  const query = sql<{ readonly n: number }>`select count(*) as n from ${sql.table(table)}
    where ${sql.ref(column)} > ${sql.lit(atMs)}`;
  return Number((await query.execute(db)).rows[0]?.n);
}

/** Positions that came later. Of a packed block whose last one did all count, since nothing is unpacked for it. */
export async function countPositionsSince(db: StoreDb, atMs: number): Promise<number> {
  const { packed } = await db
    .selectFrom('position_block')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('count'), sql.lit(0)).as('packed'))
    .where('received_to_ms', '>', atMs)
    .executeTakeFirstOrThrow();
  return (await countSince(db, 'position', 'received_at_ms', atMs)) + Number(packed);
}
