import { type Selectable, sql } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Schema } from '../../../server/store/schema.ts';

export type RoleRow = Selectable<Schema['role']>;

/** The names of the tables that have rows. */
export async function namesOfFull(db: StoreDb, tables: readonly string[]): Promise<string[]> {
  const looks = tables.map(
    (table) => sql`select ${sql.lit(table)} as name where exists (select 1 from ${sql.table(table)})`,
  );
  const { rows } = await sql<{ readonly name: string }>`${sql.join(looks, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
}

export function rolesOf(db: StoreDb): Promise<RoleRow[]> {
  return db.selectFrom('role').selectAll().orderBy('id').execute();
}
