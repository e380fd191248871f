import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import {
  type DatabaseEvents,
  type DatabaseLocation,
  type OpenDatabase,
  openDatabase,
} from '../../../server/store/engine/database.ts';
import type { Engine, Migration } from '../../../server/store/migrations/migration.ts';
import { borrowPostgres } from '../../support/databases/lentPostgres.ts';
import { borrowSqlite } from '../../support/databases/lentSqlite.ts';
import { placeSqliteFile } from '../../support/databases/sqliteFile.ts';
import { createPostgresDatabase, postgresAvailable } from '../../support/postgres/postgres.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

export interface TestDatabase extends OpenDatabase {
  /** Closes it and removes it. */
  close(): Promise<void>;
}

/** SQLite's is in memory, where `reading` is the writing connection. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') return borrowSqlite();
  const database = await borrowPostgres();
  return closedWith(await openDatabase({ engine, url: database.url }), database.close);
}

/** One that was never used before, with the schema of these steps. */
export async function openAtSteps(engine: Engine, steps: readonly Migration[]): Promise<TestDatabase> {
  if (engine === 'sqlite') return openDatabase({ engine, file: ':memory:' }, undefined, steps);
  const database = await createPostgresDatabase();
  return closedWith(await openDatabase({ engine, url: database.url }, undefined, steps), database.close);
}

/** With a connection of its own for reading on both engines, as the product has it. */
export async function openWithReading(engine: Engine, events?: DatabaseEvents): Promise<TestDatabase> {
  if (engine === 'postgres') {
    const database = await borrowPostgres();
    return closedWith(await openDatabase({ engine, url: database.url }, events), database.close);
  }
  const folder = await createTempFolder();
  const file = join(folder.path, 'a.db');
  await placeSqliteFile(file);
  return closedWith(await openDatabase({ engine, file }, events), folder.remove);
}

function closedWith(open: OpenDatabase, remove: () => Promise<void>): TestDatabase {
  const close = async (): Promise<void> => {
    await open.close();
    await remove();
  };
  return { ...open, close };
}

/** An empty one that threads can open too. It is closed and removed when the test is over. */
export async function openForThreads(
  engine: Engine,
): Promise<{ readonly folder: string; readonly location: DatabaseLocation; readonly database: OpenDatabase }> {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const location = await locationOf(engine, folder.path);
  const database = await openDatabase(location);
  onTestFinished(() => database.close());
  return { folder: folder.path, location, database };
}

async function locationOf(engine: Engine, folder: string): Promise<DatabaseLocation> {
  if (engine === 'sqlite') {
    const file = join(folder, 'fleetglass.db');
    await placeSqliteFile(file);
    return { engine, file };
  }
  const database = await borrowPostgres();
  onTestFinished(() => database.close());
  return { engine, url: database.url };
}

/** The same tests on both engines; PostgreSQL's are skipped where the machine has none. */
export function describeOnBothEngines(name: string, tests: (engine: Engine) => void): void {
  describe(`${name} (sqlite)`, () => tests('sqlite'));
  describe.skipIf(!postgresAvailable())(`${name} (postgres)`, () => tests('postgres'));
}
