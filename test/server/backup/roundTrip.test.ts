import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { ArchiveKey } from '../../../server/backup/archive/keys.ts';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { writeArchive } from '../../../server/backup/archive/writeArchive.ts';
import type { HistoryPart } from '../../../server/store/backup/tableParts.ts';
import { type DatabaseLocation, openDatabase } from '../../../server/store/engine/database.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { aRun, aWriteTask, succeeded, tableHashes, written } from '../../support/backup/archives.ts';
import { filledDatabase } from '../../support/backup/filledDatabases.ts';
import { createPostgresDatabase, postgresAvailable } from '../../support/postgres/postgres.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { describeOnBothEngines, openForThreads } from '../store/testDatabase.ts';

const ROWS = 40;
const SEEDS = IS_LONG ? [1, 2, 3] : [1];
const KEY: ArchiveKey = { kind: 'recovery-key', key: Buffer.alloc(32, 7) };

/** A place for a database that nobody has made yet. */
async function anEmptyOne(engine: Engine): Promise<DatabaseLocation> {
  if (engine === 'sqlite') return { engine, file: join(await aFolder(), 'restored.db') };
  const database = await createPostgresDatabase();
  onTestFinished(() => database.close());
  return { engine, url: database.url };
}

async function aFolder(): Promise<string> {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function aFilledOne(engine: Engine, seed: number): Promise<DatabaseLocation> {
  return filledDatabase(engine, await aFolder(), { rows: ROWS, seed });
}

async function restored(path: string, engine: Engine, key: ArchiveKey = KEY): Promise<DatabaseLocation> {
  const location = await anEmptyOne(engine);
  succeeded(await loadArchive({ path, key, database: location }, aRun()));
  return location;
}

/** Gives a table a row, and the number of it. */
async function numberOfNew(location: DatabaseLocation): Promise<number | undefined> {
  const { db, close } = await openDatabase(location);
  const insert = sql<{ readonly id: number }>`insert into role (name, name_key, permissions)
    values ('New', 'new', '[]') returning id`;
  return (await insert.execute(db).finally(close)).rows[0]?.id;
}

describeOnBothEngines('an archive', (engine) => {
  it.each(SEEDS)('of every table, restored, gives the same archive again, and no number twice (%i)', async (seed) => {
    const task = aWriteTask(await aFilledOne(engine, seed), await aFolder(), { key: KEY });
    const first = await written(task);
    const location = await restored(task.path, engine);
    const again = await written(aWriteTask(location, await aFolder(), { key: KEY }));
    const others = first.manifest.tables.filter(({ name, rows }) => name !== 'schema_version' && rows !== ROWS);
    // Every other link is of a session.
    expect(others.map(({ name, rows }) => [name, rows])).toEqual([['link_credential', ROWS / 2]]);
    expect(tableHashes(again)).toEqual(tableHashes(first));
    // The filled database had given numbers up to a hundred beyond its rows.
    expect(await numberOfNew(location)).toBe(ROWS + 101);
  });

  it('has secret settings only when it is encrypted', async () => {
    const { location, database } = await openForThreads(engine);
    const rows = ['link_key', 'notify.vapid', 'title'].map((name) => ({ name, value: 'v' }));
    await database.db.insertInto('setting').values(rows).execute();
    const settings = async (key: ArchiveKey): Promise<number | undefined> => {
      const { manifest } = await written(aWriteTask(location, await aFolder(), { key }));
      return manifest.tables.find(({ name }) => name === 'setting')?.rows;
    };
    expect(await settings({ kind: 'none' })).toBe(1);
    expect(await settings(KEY)).toBe(3);
  });

  it('is not loaded into a database that has something, and not made of a table that nobody has put anywhere', async () => {
    const { location, database } = await openForThreads(engine);
    const task = aWriteTask(location, await aFolder());
    await written(task);
    const outcome = await loadArchive({ path: task.path, key: { kind: 'none' }, database: location }, aRun());
    expect(outcome).toMatchObject({ ok: false, fault: 'not-empty' });
    await sql`create table theirs (id integer primary key)`.execute(database.db);
    const refused = await writeArchive(aWriteTask(location, await aFolder()), aRun());
    expect(refused).toEqual({ ok: false, fault: 'unknown-table', detail: 'theirs' });
  });

  it('holds what was committed when it began', async () => {
    const database = await aFilledOne(engine, 1);
    const { db, close } = await openDatabase(database);
    onTestFinished(close);
    const before = await written(aWriteTask(database, await aFolder()));
    let removal: Promise<unknown> | undefined;
    const onProgress = (): void => {
      removal ??= db.deleteFrom('track_day').execute();
    };
    const during = succeeded(await writeArchive(aWriteTask(database, await aFolder()), aRun({ onProgress })));
    await removal;
    expect(tableHashes(during)).toEqual(tableHashes(before));
    expect(await db.selectFrom('track_day').selectAll().execute()).toEqual([]);
  });
});

it('an archive leaves out history that nobody asked for, and what lasts for minutes', async () => {
  const history: readonly HistoryPart[] = ['audit'];
  const task = aWriteTask(await aFilledOne('sqlite', 1), await aFolder(), { key: KEY, history });
  const names = (await written(task)).manifest.tables.map(({ name }) => name);
  expect(names).toContain('audit');
  expect(names).toContain('device');
  for (const name of ['position', 'event', 'netflow_day', 'session', 'upload', 'segment']) {
    expect(names).not.toContain(name);
  }
  const { db, close } = await openDatabase(await restored(task.path, 'sqlite'));
  onTestFinished(close);
  expect(await db.selectFrom('session').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('device').selectAll().execute()).toHaveLength(ROWS);
});

// Rows go one way each: the other orders of engines are in `npm run test:long`.
it.skipIf(!postgresAvailable()).each<Engine>(IS_LONG ? ['sqlite', 'postgres'] : ['sqlite'])(
  'an archive goes from %s to the other engine and back with the same rows',
  async (engine) => {
    const other: Engine = engine === 'sqlite' ? 'postgres' : 'sqlite';
    const here = aWriteTask(await aFilledOne(engine, 1), await aFolder(), { key: KEY });
    const first = await written(here);
    const there = aWriteTask(await restored(here.path, other), await aFolder(), { key: KEY });
    const moved = await written(there);
    const back = await written(aWriteTask(await restored(there.path, engine), await aFolder(), { key: KEY }));
    expect(moved.manifest.engine).toBe(other);
    expect(tableHashes(moved)).toEqual(tableHashes(first));
    expect(tableHashes(back)).toEqual(tableHashes(first));
  },
);
