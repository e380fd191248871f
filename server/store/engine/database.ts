// Opens the database that the stores work on: the embedded one, or PostgreSQL.
import { Kysely, sql } from 'kysely';
import type { OnFault } from '../../faults/onFault.ts';
import { migrations } from '../migrations/list.ts';
import type { Engine, Migration } from '../migrations/migration.ts';
import type { Schema } from '../schema.ts';
import type { Connections } from './connections.ts';
import { migrate } from './migrate.ts';
import { connectPostgres } from './postgres/connections.ts';
import { connectSqlite, type DatabaseThreads } from './sqlite/connections.ts';
import { withoutTransactions } from './withoutTransactions.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite' /** A path, or `:memory:`. */; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

export type StoreDb = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: StoreDb;
  /**
   * Lists, counts, exports and reports: a long one holds up nothing that writes. Takes single statements that read, each of which
   * sees what was committed before it. `db` itself for a database in memory.
   */
  readonly reading: StoreDb;
  readonly engine: Engine;
  /** Waits for the statements under way; on the embedded database a second at most for one that reads. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseEvents {
  /** A connection to the database server broke, or the thread that reads the embedded database ended: each is replaced. */
  readonly onFault: OnFault;
  /** The embedded database is gone: only a new start opens it again. */
  readonly onLost: OnFault;
  readonly threads?: DatabaseThreads | undefined;
}

const UNHEARD: DatabaseEvents = { onFault: () => undefined, onLost: () => undefined };

/** Opens and migrates. Throws when the database cannot be reached or is newer than this program. */
export async function openDatabase(
  location: DatabaseLocation,
  events: DatabaseEvents = UNHEARD,
  steps: readonly Migration[] = migrations,
): Promise<OpenDatabase> {
  const connections = await connect(location, events);
  const db: StoreDb = new Kysely({ dialect: connections.writing });
  let reading: StoreDb;
  try {
    await migrate(db as Kysely<unknown>, location.engine, steps);
    reading = await openReading(connections, db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeBoth(db, reading);
    return closing;
  };
  return { db, reading, engine: location.engine, close };
}

async function connect(location: DatabaseLocation, events: DatabaseEvents): Promise<Connections> {
  switch (location.engine) {
    case 'sqlite':
      return connectSqlite(location.file, events);
    case 'postgres':
      return connectPostgres(location.url, events.onFault);
  }
}

async function openReading(connections: Connections, db: StoreDb): Promise<StoreDb> {
  const dialect = await connections.openReading();
  if (dialect === undefined) return db;
  const reading: StoreDb = new Kysely({ dialect: withoutTransactions(dialect) });
  try {
    // A pooler or server that refuses such a connection is a fault of the start, and not of the first list.
    await sql`select 1`.execute(reading);
    return reading;
  } catch (error) {
    await reading.destroy();
    throw error;
  }
}

/** The embedded database's writer goes last: the last connection to close moves the write-ahead log into the file. */
async function closeBoth(db: StoreDb, reading: StoreDb): Promise<void> {
  try {
    if (reading !== db) await reading.destroy();
  } finally {
    await db.destroy();
  }
}
