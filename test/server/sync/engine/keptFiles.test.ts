// Files of devices that are not video, on a real folder and a real database.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { KeptFiles } from '../../../../server/sync/engine/keptFiles.ts';
import { aSyncItem } from '../../../support/sync/syncRecords.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

const KEPT_MS = 1_000;

describe('files of devices that are no video (S-2.4.8)', () => {
  let database: TestDatabase;
  let stores: Stores;
  let temp: TempFolder;
  let files: KeptFiles;
  let limits: string[];
  let now: number;
  let incarnation: number;
  beforeEach(async () => {
    database = await openTestDatabase('sqlite');
    stores = createStores(database.db);
    temp = await createTempFolder();
    [limits, now] = [[], 0];
    ({ incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1 }));
    files = new KeptFiles({
      folder: join(temp.path, 'sync'),
      items: stores.syncItems,
      maximumBytes: 100,
      keptMs: KEPT_MS,
      now: () => now,
      onLimit: ({ name }) => void limits.push(name),
    });
  });
  afterEach(async () => {
    await database.close();
    await temp.remove();
  });

  /** Keeps a file as an attempt does. Undefined where there was no room. */
  async function keep(bytes: number, atMs: number): Promise<{ item: number; name: string } | undefined> {
    const folder = await files.makeFolder();
    const path = join(folder, 'from-outside');
    writeFileSync(path, Buffer.alloc(bytes));
    const [item = 0] = await stores.syncItems.add([aSyncItem(incarnation)], atMs);
    now = atMs;
    const isKept = await files.keep(path, bytes, item);
    expect(existsSync(path), 'it stays until the item has it').toBe(true);
    await files.removeFolder(folder);
    expect(existsSync(folder)).toBe(false);
    await stores.syncItems.change(item, { state: 'failed' }, atMs);
    return isKept ? { item, name: (await fileOf(item)) ?? '' } : undefined;
  }

  const onDisk = (): string[] => readdirSync(join(temp.path, 'sync', 'files')).sort();
  const fileOf = async (item: number) => (await stores.syncItems.find(item))?.file;

  it('are taken over under random names, which are the only ones that are asked for', async () => {
    const kept = await keep(10, 1);
    expect(kept?.name).toMatch(/^[0-9a-f]{32}$/);
    expect(statSync(files.pathOf(kept?.name ?? '')).size).toBe(10);
    for (const name of ['../secret', `${kept?.name}/..`, '', 'A'.repeat(32)]) {
      expect(() => files.pathOf(name)).toThrow(RangeError);
    }
    await files.remove(kept?.name ?? '');
    expect(onDisk()).toEqual([]);
  });

  it('make room for a new one, the oldest first, and their items forget them', async () => {
    const [first, second] = [await keep(40, 1), await keep(40, 2)];
    expect(limits).toEqual([]);
    const third = await keep(50, 3);
    expect(limits).toEqual(['sync.files.bytes']);
    expect(onDisk()).toEqual([second?.name, third?.name].sort());
    expect(await fileOf(first?.item ?? 0)).toBe('');
    expect(await fileOf(second?.item ?? 0)).toBe(second?.name);
  });

  it('are not kept where one is larger than all of them may be', async () => {
    const first = await keep(100, 1);
    expect(await keep(101, 2)).toBeUndefined();
    expect(limits).toEqual(['sync.files.bytes']);
    expect(onDisk()).toEqual([first?.name]);
  });

  it('are deleted after their time', async () => {
    const [old, fresh] = [await keep(10, 1), await keep(10, 2)];
    now = KEPT_MS + 2;
    await files.removeOld();
    expect(onDisk()).toEqual([fresh?.name]);
    expect(await fileOf(old?.item ?? 0)).toBe('');
  });

  it('of an earlier run are removed at a start: what attempts have left, and what no item names', async () => {
    const kept = await keep(10, 1);
    const folder = await files.makeFolder();
    writeFileSync(join(folder, 'half'), '');
    writeFileSync(join(temp.path, 'sync', 'files', 'b'.repeat(32)), '');
    mkdirSync(join(temp.path, 'sync', 'somebody-elses'));
    await files.sweep();
    expect(onDisk()).toEqual([kept?.name]);
    expect(readdirSync(join(temp.path, 'sync')).sort()).toEqual(['files', 'somebody-elses']);
  });
});
