// What is measured on a database of each kind, one after the other.
import { join } from 'node:path';
import { type DatabaseLocation, type OpenDatabase, openDatabase } from '../../server/store/engine/database.ts';
import { startPostgresCluster } from '../support/postgres/postgresCluster.ts';
import { createTempFolder } from '../support/tempFolder.ts';

/** `name`: as tables have it. The database is empty, and closed afterwards. */
export type MeasureOnEngine = (database: OpenDatabase, name: 'SQLite' | 'PostgreSQL') => Promise<void>;

/** `postgresPrograms` is the folder of initdb and postgres; without it SQLite alone is measured. */
export async function onBothEngines(postgresPrograms: string | undefined, measure: MeasureOnEngine): Promise<void> {
  const folder = await createTempFolder();
  try {
    const file = join(folder.path, 'bench.db');
    await onDatabase({ engine: 'sqlite', file }, (database) => measure(database, 'SQLite'));
  } finally {
    await folder.remove();
  }
  if (postgresPrograms === undefined) return;
  const cluster = await startPostgresCluster(postgresPrograms);
  try {
    await onDatabase({ engine: 'postgres', url: cluster.url }, (database) => measure(database, 'PostgreSQL'));
  } finally {
    await cluster.close();
  }
}

async function onDatabase(
  location: DatabaseLocation,
  measure: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(location);
  try {
    await measure(database);
  } finally {
    await database.close();
  }
}
