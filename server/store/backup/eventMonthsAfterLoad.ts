import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';
import { createEventMonthStore } from '../events/eventMonths.ts';

/** What a clock has put into another century stays where it is. */
const LAST_MS = Date.UTC(2100, 0, 1);

/** A backup knows one table of events: on PostgreSQL its rows go to the months that they are of. */
export async function sortEventsIntoMonths(db: StoreDb): Promise<void> {
  if (!isPostgres(db)) return;
  const months = createEventMonthStore(db);
  const { rows } = await sql<{ readonly at_ms: number }>`select min(begin_at_ms) as at_ms from event_other
    where begin_at_ms >= 0 and begin_at_ms < ${sql.lit(LAST_MS)}
    group by date_trunc('month', to_timestamp(begin_at_ms / 1000.0) at time zone 'UTC')`.execute(db);
  for (const { at_ms: atMs } of rows) await months.addMonths(atMs, 0);
}
