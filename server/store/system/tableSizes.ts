// Rows and bytes by table, indexes included. Both are estimates for large tables: counting them would take the reading connection seconds
// to minutes.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import { isPostgres } from '../engine/lockingRows.ts';
import { type TreeLevel, treeSize } from './sizes/treeEstimate.ts';

export interface TableSize {
  readonly table: string;
  /** Null: not known yet, as for a table that PostgreSQL has never analyzed. */
  readonly rows: number | null;
  readonly bytes: number | null;
}

export interface TableSizeStore {
  /** Ordered by name. */
  read(): Promise<readonly TableSize[]>;
}

/**
 * Pages that are read of each table and index on the embedded database: up to a megabyte, rows are counted. This takes some milliseconds,
 * and some more from a cold disk.
 */
const PAGES_READ = 256;

export function createTableSizeStore(reading: StoreDb, pagesRead = PAGES_READ): TableSizeStore {
  return { read: () => (isPostgres(reading) ? readPostgres(reading) : readEmbedded(reading, pagesRead)) };
}

/** Partitions count for their parent table, which has no rows itself. */
async function readPostgres(db: StoreDb): Promise<readonly TableSize[]> {
  const { rows } = await sql<TableSize>`
    select coalesce(whole.relname, c.relname) as "table",
      cast(sum(c.reltuples) filter (where c.relkind = 'r' and c.reltuples >= 0) as bigint) as "rows",
      cast(sum(pg_total_relation_size(c.oid)) as bigint) as "bytes"
    from pg_class c
      left join pg_inherits i on i.inhrelid = c.oid
      left join pg_class whole on whole.oid = i.inhparent
    where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')
    group by 1
    order by 1`.execute(db);
  return rows;
}

interface Tree {
  readonly name: string;
  readonly table: string;
  readonly hasInnerEntries: boolean;
}

async function readEmbedded(db: StoreDb, pagesRead: number): Promise<readonly TableSize[]> {
  const pageSize =
    (await sql<{ page_size: number }>`select page_size from pragma_page_size`.execute(db)).rows[0]?.page_size ?? 0;
  const sizes = new Map<string, { rows: number; bytes: number }>();
  // The tables are read one after the other: other statements of the connection can run in between.
  for (const tree of await treesOf(db)) {
    const { entries, pages } = await sizeOf(db, tree, pagesRead);
    const size = sizes.get(tree.table) ?? { rows: 0, bytes: 0 };
    if (tree.name === tree.table) size.rows = entries;
    size.bytes += pages * pageSize;
    sizes.set(tree.table, size);
  }
  return [...sizes].map(([table, size]) => ({ table, ...size }));
}

async function treesOf(db: StoreDb): Promise<readonly Tree[]> {
  const { rows } = await sql<{ name: string; table: string; inner: number }>`
    select s.name as name, s.tbl_name as "table", s.type = 'index' or l.wr = 1 as inner
    from sqlite_schema s left join pragma_table_list l on l.schema = 'main' and l.name = s.name
    where s.rootpage > 0 and s.tbl_name not like 'sqlite\\_%' escape '\\'
    order by s.tbl_name, s.name`.execute(db);
  return rows.map(({ inner, ...tree }) => ({ ...tree, hasInnerEntries: inner === 1 }));
}

async function sizeOf(db: StoreDb, { name, hasInnerEntries }: Tree, pagesRead: number) {
  // A page's path has a slash for each page above it; the path of an overflow page ends with its number.
  const { rows: levels } = await sql<TreeLevel>`
    select depth, kind, count(*) as pages, sum(ncell) as cells
    from (select length(path) - length(replace(path, '/', '')) as depth, pagetype as kind, ncell
      from dbstat where name = ${name} limit ${pagesRead})
    group by depth, kind`.execute(db);
  const read = levels.reduce((sum, { pages }) => sum + pages, 0);
  return treeSize({ levels, isCut: read >= pagesRead, hasInnerEntries });
}
