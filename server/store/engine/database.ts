// Opens the database that the stores work on: the embedded one, or PostgreSQL.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openPool } from '../../faults/databasePool.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { migrations } from '../migrations/list.ts';
import type { Engine, Migration } from '../migrations/migration.ts';
import type { Schema } from '../schema.ts';
import { migrate } from './migrate.ts';
import { openSqliteClient } from './sqlite/client.ts';
import { createThreadSqliteDialect } from './sqlite/dialect.ts';

export type DatabaseLocation =
  | { readonly engine: 'sqlite' /** A path, or `:memory:`. */; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string };

export type StoreDb = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: StoreDb;
  readonly engine: Engine;
  /** Waits for the statements under way. Safe to call twice. */
  close(): Promise<void>;
}

export interface DatabaseEvents {
  /** A connection to the database server broke; the pool replaces it. */
  readonly onFault: OnFault;
  /** The embedded database is gone: only a new start opens it again. */
  readonly onLost: OnFault;
}

const UNHEARD: DatabaseEvents = { onFault: () => undefined, onLost: () => undefined };

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens and migrates. Throws when the database cannot be reached or is newer than this program. */
export async function openDatabase(
  location: DatabaseLocation,
  events: DatabaseEvents = UNHEARD,
  steps: readonly Migration[] = migrations,
): Promise<OpenDatabase> {
  const db = await connect(location, events);
  try {
    await migrate(db as Kysely<unknown>, location.engine, steps);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= db.destroy();
    return closing;
  };
  return { db, engine: location.engine, close };
}

async function connect(location: DatabaseLocation, { onFault, onLost }: DatabaseEvents): Promise<StoreDb> {
  switch (location.engine) {
    case 'sqlite':
      return new Kysely({ dialect: createThreadSqliteDialect(await openSqliteClient(location.file, onLost)) });
    case 'postgres':
      return new Kysely({ dialect: new PostgresDialect({ pool: createPool(location.url, onFault) }) });
  }
}

function createPool(connectionString: string, onFault: OnFault): pg.Pool {
  const types = new pg.TypeOverrides();
  // Milliseconds since the epoch and row counts are far below 2^53, so 8-byte integers are read as numbers.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const limits = { max: POOL_SIZE, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  return openPool({ connectionString, types, ...limits }, onFault);
}
