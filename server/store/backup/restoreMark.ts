import type { StoreDb } from '../engine/database.ts';

/** Row of `setting`: which restore made this database. With the tables it comes into place, and by it a start knows that they have. */
export const RESTORE_MARK = 'restore.id';

export async function markRestored(db: StoreDb, id: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name: RESTORE_MARK, value: id })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: id }))
    .execute();
}
