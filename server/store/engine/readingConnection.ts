// A connection of a thread of its own that reads: what it does holds up no other statement.
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation, StoreDb } from './database.ts';
import { createReadingDialect } from './postgres/connections.ts';
import { withoutTransactions } from './withoutTransactions.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** The database is there, with its schema. On the embedded one, statements run in the calling thread. */
export function openReadingConnection(location: DatabaseLocation, onFault: OnFault): StoreDb {
  if (location.engine === 'postgres') {
    return new Kysely({ dialect: withoutTransactions(createReadingDialect(location.url, onFault)) });
  }
  const database = new Database(location.file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  database.pragma('query_only = ON');
  return new Kysely({ dialect: withoutTransactions(new SqliteDialect({ database })) });
}
