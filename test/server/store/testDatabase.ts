import { describe } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../server/store/engine/database.ts';
import type { Engine, Migration } from '../../../server/store/migrations/migration.ts';
import { createPostgresDatabase, postgresAvailable } from '../../support/postgres/postgres.ts';

export interface TestDatabase extends OpenDatabase {
  /** Closes it and removes it. */
  close(): Promise<void>;
}

export async function openTestDatabase(engine: Engine, steps?: readonly Migration[]): Promise<TestDatabase> {
  if (engine === 'sqlite') return openDatabase({ engine, file: ':memory:' }, undefined, steps);
  const database = await createPostgresDatabase();
  const open = await openDatabase({ engine, url: database.url }, undefined, steps);
  const close = async (): Promise<void> => {
    await open.close();
    await database.close();
  };
  return { ...open, close };
}

/** The same tests on both engines; PostgreSQL's are skipped where the machine has none. */
export function describeOnBothEngines(name: string, tests: (engine: Engine) => void): void {
  describe(`${name} (sqlite)`, () => tests('sqlite'));
  describe.skipIf(!postgresAvailable())(`${name} (postgres)`, () => tests('postgres'));
}
