// A connection of a thread of its own that reads: what it does holds up no other statement.
import Database from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation, StoreDb } from './database.ts';
import { createReadingDialect } from './postgres/connections.ts';
import { COLUMNS_MARK } from './sqlite/columnsMark.ts';
import { createReadColumns, type ReadColumns } from './sqlite/readColumns.ts';
import { withoutTransactions } from './withoutTransactions.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** The database is there, with its schema. On the embedded one, statements run in the calling thread. */
export function openReadingConnection(location: DatabaseLocation, onFault: OnFault): StoreDb {
  if (location.engine === 'postgres') {
    return new Kysely({ dialect: withoutTransactions(createReadingDialect(location.url, onFault)) });
  }
  const database = new Database(location.file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma('query_only = ON');
  return new Kysely({ dialect: withoutTransactions(new SqliteDialect({ database: withColumns(database) })) });
}

/** Answers what is marked so with arrays, as the database's own thread does. */
function withColumns(database: Database.Database): SqliteDatabase {
  const readColumns = createReadColumns(database);
  return {
    prepare: (sql) => (sql.startsWith(COLUMNS_MARK) ? columnsStatement(sql, readColumns) : database.prepare(sql)),
    close: () => void database.close(),
  };
}

function columnsStatement(sql: string, readColumns: ReadColumns): SqliteStatement {
  const all = (parameters: readonly unknown[]): unknown[] => [readColumns(sql, parameters)];
  return {
    reader: true,
    all,
    iterate: (parameters) => all(parameters).values(),
    run: () => {
      throw new Error('a query for columns changes nothing');
    },
  };
}
