import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { loadArchive } from '../../../server/backup/archive/loadArchive.ts';
import { partOf } from '../../../server/store/backup/tableParts.ts';
import { type DatabaseLocation, openDatabase } from '../../../server/store/engine/database.ts';
import { migrate } from '../../../server/store/engine/migrate.ts';
import { migrations } from '../../../server/store/migrations/list.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { createStores } from '../../../server/store/stores.ts';
import { aRun, aWriteTask, succeeded, written } from '../../support/backup/archives.ts';
import { createPostgresDatabase } from '../../support/postgres/postgres.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { fillVersion } from '../store/rowsOfVersions.ts';
import { describeOnBothEngines } from '../store/testDatabase.ts';

const KEY = { kind: 'recovery-key', key: Buffer.alloc(32, 5) } as const;
const NEWEST = migrations.length;
/**
 * With devices alone, with positions and alarms, with events in place of alarms, and the one before this. What each step makes of rows is
 * shown by the tests of migrations, on both engines.
 */
const TELLING = { sqlite: [1, 9, 18, NEWEST - 1], postgres: [9, NEWEST - 1] };
const versionsOn = (engine: Engine) => (IS_LONG ? migrations.map(({ version }) => version) : TELLING[engine]);

async function place(engine: Engine): Promise<{ readonly folder: string; readonly database: DatabaseLocation }> {
  const { path: folder, remove } = await createTempFolder();
  onTestFinished(remove);
  if (engine === 'sqlite') return { folder, database: { engine, file: join(folder, 'a.db') } };
  const { url, close } = await createPostgresDatabase();
  onTestFinished(close);
  return { folder, database: { engine, url } };
}

describeOnBothEngines('an archive of an earlier schema', (engine) => {
  it.each(versionsOn(engine))('is accepted: version %i', async (version) => {
    const old = await place(engine);
    const made = await openDatabase(old.database, undefined, migrations.slice(0, version));
    await fillVersion(made.db as Kysely<unknown>, version);
    await made.close();
    const task = aWriteTask(old.database, old.folder, { key: KEY });
    expect((await written(task)).manifest.schemaVersion).toBe(version);

    const { database } = await place(engine);
    succeeded(await loadArchive({ path: task.path, key: KEY, database }, aRun()));

    const { db, close } = await openDatabase(database);
    onTestFinished(close);
    const stores = createStores(db);
    expect(await stores.devices.findByDeviceId('DEV1')).toMatchObject({ name: 'Bus', chn: 4, deviceGroup: 1 });
    expect(await stores.settings.get('link_key')).toBe('ab');
    // Whoever could talk to drivers when the backup was made still can.
    const permissions = version >= 35 ? ['event'] : ['event', 'talk', 'devicetext'];
    if (version >= 2) expect(await stores.users.find(1)).toMatchObject({ username: 'A', permissions });
    if (version >= 3) expect(await stores.positions.latest('DEV1')).toMatchObject({ latitude: 1.5, deviceTimeMs: 7 });
    if (version >= 9) expect(await db.selectFrom('event').selectAll().execute()).toHaveLength(1);
  });

  it.runIf(engine === 'sqlite')('is refused when it is newer than this program', async () => {
    const newer = await place(engine);
    const next = { version: NEWEST + 1, name: 'next year', up: async () => undefined };
    await (await openDatabase(newer.database, undefined, [...migrations, next])).close();
    const task = aWriteTask(newer.database, newer.folder, { key: KEY });
    await written(task);
    const { database } = await place(engine);
    const outcome = await loadArchive({ path: task.path, key: KEY, database }, aRun());
    expect(outcome).toMatchObject({ ok: false, fault: 'newer-schema' });
  });
});

it('has no table that nobody has put into a part of backups, whatever its version', async () => {
  const { database } = await place('sqlite');
  const { db, close } = await openDatabase(database, undefined, []);
  onTestFinished(close);
  const nowhere: unknown[] = [];
  for (const { version } of migrations) {
    await migrate(db as Kysely<unknown>, 'sqlite', migrations.slice(0, version));
    const tables = await (db as Kysely<unknown>).introspection.getTables();
    for (const { name } of tables) if (partOf(name) === undefined) nowhere.push([version, name]);
  }
  expect(nowhere).toEqual([]);
});
