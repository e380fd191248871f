import type Database from 'better-sqlite3';
import type { AfterFailure, LoadTarget } from './loadTarget.ts';
import { openSqlite } from './openSqlite.ts';
import { quoted, type TableShape } from './snapshot.ts';
import { sqliteTables } from './sqliteCatalog.ts';

interface ForeignKey {
  /** The table that the key refers to. */
  readonly table: string;
}

/** Statements run in the calling thread. */
export function openSqliteTarget(file: string, afterFailure: AfterFailure): LoadTarget {
  let tables: TableShape[] = [];
  const database = openSqlite(file, (opened) => {
    // Whoever opens it next for writing asks for the log again.
    opened.pragma(`journal_mode = ${afterFailure === 'discarded' ? 'OFF' : 'WAL'}`);
    opened.pragma('synchronous = FULL');
    // The pragma is ignored within a transaction. Tables refer to one another and to themselves: no order of loading would do.
    opened.pragma('foreign_keys = OFF');
    tables = sqliteTables(opened);
  });
  const inserting = inserter(database);
  const changed = new Set<string>();
  const indexes: string[] = [];
  return {
    tables,
    begin: async () => void database.exec('begin immediate'),
    clear: async ({ name }) => {
      changed.add(name);
      database.exec(`delete from ${quoted(name)}`);
      indexes.push(...dropIndexes(database, name));
    },
    insert: async (table, rows) => {
      changed.add(table.name);
      const insert = inserting(table);
      for (const row of rows) insert.run(row);
    },
    setSerial: async (table, last) => setSerial(database, table, last),
    count: async ({ name }) =>
      database
        .prepare(`select count(*) from ${quoted(name)}`)
        .pluck()
        .get() as number,
    commit: async () => {
      for (const index of indexes.splice(0)) database.exec(index);
      const broken = brokenKey(database, tables, changed);
      if (broken === undefined) database.exec('commit');
      return broken;
    },
    close: async () => void database.close(),
  };
}

/**
 * Drops the table's explicitly created indexes and gives their statements. Indexes created after all rows are sorted once; updated row by
 * row, they are read and written all over, which takes several times as long in a large table.
 */
function dropIndexes(database: Database.Database, table: string): string[] {
  const query = "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null";
  const found = database.prepare(query).all(table) as { readonly name: string; readonly sql: string }[];
  for (const { name } of found) database.exec(`drop index ${quoted(name)}`);
  return found.map(({ sql }) => sql);
}

/** A table with a row that refers to a missing one. Only inserted rows, or rows that refer to changed tables, can be affected. */
function brokenKey(
  database: Database.Database,
  tables: readonly TableShape[],
  changed: ReadonlySet<string>,
): string | undefined {
  const parentsOf = (name: string): string[] =>
    (database.pragma(`foreign_key_list(${quoted(name)})`) as readonly ForeignKey[]).map(({ table }) => table);
  const looked = tables.filter(({ name }) => [name, ...parentsOf(name)].some((each) => changed.has(each)));
  const check = database.prepare('select exists(select 1 from pragma_foreign_key_check(?))').pluck();
  return looked.find(({ name }) => check.get(name) === 1)?.name;
}

/** Prepares the insert statement of the current table once. */
function inserter(database: Database.Database): (table: TableShape) => Database.Statement {
  let [of, statement]: [TableShape | undefined, Database.Statement | undefined] = [undefined, undefined];
  return (table) => {
    if (statement !== undefined && of === table) return statement;
    of = table;
    const columns = table.columns.map(({ name }) => quoted(name)).join();
    const places = table.columns.map(() => '?').join();
    statement = database.prepare(`insert into ${quoted(table.name)} (${columns}) values (${places})`);
    return statement;
  };
}

function setSerial(database: Database.Database, { name, serial }: TableShape, last: number): void {
  if (serial === undefined) return;
  // The engine continues from the highest number in its table of sequences and in the rows.
  database.prepare('delete from sqlite_sequence where name = ? and seq <= ?').run(name, last);
  const insert = `insert into sqlite_sequence (name, seq)
    select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)`;
  database.prepare(insert).run(name, last, name);
}
