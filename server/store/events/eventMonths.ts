// The months of the table `event` on PostgreSQL, each a table of its own: they are added ahead of time, and an old one that is
// empty goes as a whole. On SQLite there is one table, and nothing to do.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';

export interface EventMonthStore {
  /** Adds the month of this time and so many after it, where they are not there yet. Gives how many there are. */
  addMonths(fromMs: number, count: number): Promise<number>;
  /** Drops months that ended before this time and have no events. */
  dropEmpty(beforeMs: number): Promise<void>;
}

const PREFIX = 'event_month_';

export function createEventMonthStore(db: StoreDb): EventMonthStore {
  return {
    addMonths: async (fromMs, count) => {
      const known = await monthTables(db);
      if (known === undefined) return 0;
      const wanted = Array.from({ length: count + 1 }, (_, ahead) => monthOf(fromMs, ahead));
      const missing = wanted.filter(({ table }) => !known.includes(table));
      for (const month of missing) await addMonth(db, month);
      return known.length + missing.length;
    },
    dropEmpty: async (beforeMs) => {
      const current = monthOf(beforeMs, 0).table;
      for (const table of (await monthTables(db)) ?? []) {
        // Names sort by time. Nothing is added to a month that is over, but for what is reported very late.
        if (table >= current) continue;
        const { rows } = await sql<{
          readonly found: boolean;
        }>`select exists(select 1 from ${sql.id(table)}) as found`.execute(db);
        if (rows[0]?.found === false) await sql`drop table ${sql.id(table)}`.execute(db);
      }
    },
  };
}

interface Month {
  readonly table: string;
  readonly beginMs: number;
  readonly endMs: number;
}

/** Events of the month may be there already, after a clock that was ahead: they are moved into it. */
async function addMonth(db: StoreDb, { table, beginMs, endMs }: Month): Promise<void> {
  await db.transaction().execute(async (work) => {
    const name = sql.id(table);
    await sql`create table ${name} (like event including defaults including constraints)`.execute(work);
    await sql`with moved as (delete from event_other
      where begin_at_ms >= ${beginMs} and begin_at_ms < ${endMs} returning *)
      insert into ${name} select * from moved`.execute(work);
    await sql`alter table event attach partition ${name}
      for values from (${sql.lit(beginMs)}) to (${sql.lit(endMs)})`.execute(work);
  });
}

/** Undefined on SQLite. */
async function monthTables(db: StoreDb): Promise<string[] | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows: parts } = await sql<{ readonly name: string }>`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'event'::regclass`.execute(db);
  return parts.map(({ name }) => name).filter((name) => name.startsWith(PREFIX));
}

/** In UTC, so many months after that of the time. */
function monthOf(atMs: number, ahead: number): Month {
  const at = new Date(atMs);
  const beginMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead);
  const begin = new Date(beginMs);
  const endMs = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1);
  const month = String(begin.getUTCMonth() + 1).padStart(2, '0');
  return { table: `${PREFIX}${begin.getUTCFullYear()}_${month}`, beginMs, endMs };
}
