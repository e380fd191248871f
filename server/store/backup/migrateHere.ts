// Migrations in the calling thread, which is one of the backup's own: it opens no other for it.
import type Database from 'better-sqlite3';
import { type DatabaseConnection, type Driver, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { OnFault } from '../../faults/onFault.ts';
import type { DatabaseLocation, StoreDb } from '../engine/database.ts';
import { migrate } from '../engine/migrate.ts';
import { connectPostgres } from '../engine/postgres/connections.ts';
import { migrations } from '../migrations/list.ts';
import { sortEventsIntoMonths } from './eventMonthsAfterLoad.ts';
import { openSqlite } from './openSqlite.ts';

export const NEWEST_SCHEMA = migrations.at(-1)?.version ?? 0;

/** Makes the tables as they were in that version. */
export async function migrateTo(version: number, location: DatabaseLocation, onFault: OnFault): Promise<void> {
  const steps = migrations.filter((step) => step.version <= version);
  await withDatabase(location, onFault, (db) => migrate(db as Kysely<unknown>, location.engine, steps));
}

/** The steps that are newer than the rows. */
export async function migrateLoaded(location: DatabaseLocation, onFault: OnFault): Promise<void> {
  await withDatabase(location, onFault, async (db) => {
    await migrate(db as Kysely<unknown>, location.engine, migrations);
    await sortEventsIntoMonths(db);
  });
}

/** Statements run in the calling thread. */
export async function withDatabase<Result>(
  location: DatabaseLocation,
  onFault: OnFault,
  use: (db: StoreDb) => Promise<Result>,
): Promise<Result> {
  const db: StoreDb = new Kysely({ dialect: dialectOf(location, onFault) });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

function dialectOf(location: DatabaseLocation, onFault: OnFault) {
  if (location.engine === 'postgres') return connectPostgres(location.url, onFault).writing;
  const database = openSqlite(location.file, (opened) => {
    opened.pragma('journal_mode = WAL');
    opened.pragma('synchronous = FULL');
    opened.pragma('foreign_keys = ON');
  });
  return new LocalDialect(database);
}

class LocalDialect extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new LocalDriver(this.#database);
  }
}

class LocalDriver extends SqliteDriver {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database });
    this.#database = database;
  }

  /** On a full disk the engine has taken it back already, and to ask for it again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
