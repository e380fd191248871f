import Database from 'better-sqlite3';
import type { LoadTarget } from './loadTarget.ts';
import { quoted, type TableShape } from './snapshot.ts';
import { sqliteTables } from './sqliteCatalog.ts';

interface BrokenKey {
  readonly table: string;
}

/** Statements run in the calling thread. */
export function openSqliteTarget(file: string): LoadTarget {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  // Ignored within a transaction. Tables refer to one another and to themselves: no order of theirs would do.
  database.pragma('foreign_keys = OFF');
  const inserting = inserter(database);
  return {
    tables: sqliteTables(database),
    begin: async () => void database.exec('begin immediate'),
    clear: async ({ name }) => void database.exec(`delete from ${quoted(name)}`),
    insert: async (table, rows) => {
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
      const [broken] = database.pragma('foreign_key_check') as readonly BrokenKey[];
      if (broken === undefined) database.exec('commit');
      return broken?.table;
    },
    close: async () => void database.close(),
  };
}

/** The statement of the table that comes now. */
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
  // The engine counts on from the highest number of its table of sequences, and from that of the rows.
  database.prepare('delete from sqlite_sequence where name = ? and seq <= ?').run(name, last);
  const insert = `insert into sqlite_sequence (name, seq)
    select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)`;
  database.prepare(insert).run(name, last, name);
}
