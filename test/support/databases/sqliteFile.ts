import { existsSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenDatabase, openDatabase } from '../../../server/store/engine/database.ts';
import { atWorkerEnd } from '../runner/workerEnd.ts';
import { createTempFolder } from '../tempFolder.ts';

let prepared: Promise<string> | undefined;

/** Opens the database in a file. One that is not there begins as a copy with the newest schema, so that no migration has to run. */
export async function openSqliteFile(file: string): Promise<OpenDatabase> {
  if (!existsSync(file)) await placeSqliteFile(file);
  return openDatabase({ engine: 'sqlite', file });
}

/** For a gateway that is about to start in this process: its database, unless it has one. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const file = join(dataDir, 'fleetglass.db');
  if (!existsSync(file)) await placeSqliteFile(file);
}

/** Puts an empty database with the newest schema at `file`. */
export async function placeSqliteFile(file: string): Promise<void> {
  prepared ??= prepare();
  await copyFile(await prepared, file);
}

async function prepare(): Promise<string> {
  const { path } = await createTempFolder();
  atWorkerEnd(() => rmSync(path, { recursive: true, force: true }));
  const file = join(path, 'empty.db');
  await (await openDatabase({ engine: 'sqlite', file })).close();
  return file;
}
