// The only module that writes `netflow_withheld`.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';

/** A time in which a data plan left recordings of a device without video. */
export interface WithheldRow {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** False: sub streams could still be recorded. */
  readonly isAll: boolean;
}

const ROWS_A_STATEMENT = 500;

/** Adds rows; known rows get their new end. */
export async function writeWithheld(work: StoreDb, rows: readonly WithheldRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const values = rows.slice(at, at + ROWS_A_STATEMENT).map((row) => ({
      incarnation: row.incarnation,
      from_ms: row.fromMs,
      to_ms: row.toMs,
      is_all: row.isAll ? 1 : 0,
    }));
    await work
      .insertInto('netflow_withheld')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['incarnation', 'from_ms'])
          .doUpdateSet({ to_ms: sql`excluded.to_ms`, is_all: sql`excluded.is_all` }),
      )
      .execute();
  }
}

export function removeWithheldBefore(db: StoreDb, toMs: number): Promise<void> {
  return deleteInParts((limit) =>
    db
      .deleteFrom('netflow_withheld')
      .where(
        sql<boolean>`(incarnation, from_ms) in (select incarnation, from_ms from netflow_withheld where to_ms < ${toMs} limit ${limit})`,
      ),
  );
}
