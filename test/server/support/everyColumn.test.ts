// A support bundle of a database in which every text says where it stands.
import { generateKeyPairSync } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../server/config/readConfig.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { BUNDLE_FILES } from '../../../shared/protocol/api/system/bundle.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { fillTables } from '../../support/backup/fillTables.ts';
import { readArchive } from '../../support/media/readArchive.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { createTestVersion } from '../http/testAbout.ts';

/** What a bundle is there to tell. */
const TOLD: ReadonlySet<string> = new Set([
  ...['manufacturer', 'model', 'hardware_version', 'firmware_version'].map((name) => `terminal_attributes.${name}`),
  'device.edition',
  'gateway.version',
  'schema_version.name',
]);
const PLANTED = 'Planted';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** One row in each table. Keys stay as they are filled: with `key 1 ß`. Gives how many texts were planted. */
function plant(file: string): number {
  const database = new Database(file);
  database.pragma('foreign_keys = off');
  let planted = 0;
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
  for (const table of tables) {
    for (const { name, type } of database.pragma(`table_info('${table}')`) as Column[]) {
      if (type.toLowerCase() !== 'text' || TOLD.has(`${table}.${name}`)) continue;
      const change = `update "${table}" set "${name}" = ? where "${name}" is null or "${name}" not like 'key %'`;
      planted += database.prepare(change).run(`${PLANTED} ${table}.${name}`).changes;
    }
  }
  // The version that ran before is told, and its row has nothing else.
  database.prepare('delete from product_version').run();
  database.close();
  return planted;
}

it('has no text of any table but versions and kinds of terminals', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const location = { engine: 'sqlite', file: `${folder.path}/planted.db` } as const;
  await (await openDatabase(location)).close();
  await fillTables(location, 1, 1);
  expect(plant(location.file)).toBeGreaterThan(100);
  const database = await openDatabase(location);
  onTestFinished(() => database.close());

  const stores = createStores(database.db, undefined, database.reading);
  await stores.settings.set('web_title', `${PLANTED} title`);
  const read = readConfig({});
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const { supportBundle } = createTestVersion(read.config, {
    stores,
    signer: { publicKey: generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    now: () => wallMs(1_795_000_000_000),
    onLimit: () => undefined,
    checks: () => [],
    lines: [],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of (await supportBundle.open()) ?? []) chunks.push(chunk as Buffer);
  const files = readArchive(Buffer.concat(chunks), true);
  expect([...files.keys()]).toEqual(BUNDLE_FILES);
  for (const [name, bytes] of files) {
    expect([name, bytes.toString().match(/Planted.*|key 1 ß/)?.[0]]).toEqual([name, undefined]);
  }
  // The row is in it.
  expect(JSON.parse(files.get('terminals.json')?.toString() ?? '').kinds).toHaveLength(1);
});
