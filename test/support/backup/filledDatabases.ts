// Databases with rows in every table: each is migrated and filled once for a worker, and copied from then on.
import { rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DatabaseLocation, openDatabase } from '../../../server/store/engine/database.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { placeSqliteFile } from '../databases/sqliteFile.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../postgres/postgres.ts';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { createTempFolder } from '../tempFolder.ts';
import { fillTables } from './fillTables.ts';

export interface Filling {
  readonly rows: number;
  readonly seed: number;
}

const files = new Map<string, Promise<string>>();
const servers = new Map<string, Promise<PostgresDatabase>>();

/** It lies in `folder` where the engine has a file, and is gone after the test. */
export async function filledDatabase(engine: Engine, folder: string, filling: Filling): Promise<DatabaseLocation> {
  if (engine === 'sqlite') {
    const file = join(folder, 'fleetglass.db');
    await copyFile(await once(files, filling, fillFile), file);
    return { engine, file };
  }
  const { url, close } = await createPostgresDatabase(await once(servers, filling, fillServer));
  onTestFinished(close);
  return { engine, url };
}

function once<Made>(
  made: Map<string, Promise<Made>>,
  filling: Filling,
  make: (filling: Filling) => Promise<Made>,
): Promise<Made> {
  const name = `${filling.rows} ${filling.seed}`;
  const found = made.get(name) ?? make(filling);
  made.set(name, found);
  return found;
}

async function fillFile({ rows, seed }: Filling): Promise<string> {
  const { path } = await createTempFolder();
  atWorkerEnd(() => rmSync(path, { recursive: true, force: true }));
  const file = join(path, 'filled.db');
  await placeSqliteFile(file);
  await fillTables({ engine: 'sqlite', file }, rows, seed);
  return file;
}

/** The end of the run drops it. */
async function fillServer({ rows, seed }: Filling): Promise<PostgresDatabase> {
  const database = await createPostgresDatabase();
  const location = { engine: 'postgres', url: database.url } as const;
  await (await openDatabase(location)).close();
  await fillTables(location, rows, seed);
  return database;
}
