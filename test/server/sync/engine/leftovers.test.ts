// Files that came whole before a kill, on a real folder and a real database; what they hold is a matter of the ingest.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { SyncDevice } from '../../../../server/store/sync/syncSources.ts';
import { type FileNote, noteFile } from '../../../../server/sync/engine/attempts/wholeFiles.ts';
import { KeptFiles } from '../../../../server/sync/engine/keptFiles.ts';
import { Leftovers } from '../../../../server/sync/engine/leftovers.ts';
import type { IngestOutcome, IngestTarget } from '../../../../server/sync/ingest/ingest.ts';
import { aSyncItem } from '../../../support/sync/syncRecords.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

describe('what had come whole when the gateway was killed (S-2.4.8)', () => {
  let database: TestDatabase;
  let stores: Stores;
  let temp: TempFolder;
  let files: KeptFiles;
  let folder: string;
  let item: number;
  let incarnation: number;
  let outcomes: IngestOutcome[];
  let whileReading: () => void;
  let read: { path: string; target: IngestTarget }[];
  beforeEach(async () => {
    database = await openTestDatabase('sqlite');
    stores = createStores(database.db);
    temp = await createTempFolder();
    [outcomes, read] = [[], []];
    whileReading = () => undefined;
    ({ incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1 }));
    [item = 0] = await stores.syncItems.add([aSyncItem(incarnation, { deviceFromMs: 995_000 })], 0);
    files = new KeptFiles({
      folder: join(temp.path, 'sync'),
      items: stores.syncItems,
      maximumBytes: 1_000,
      keptMs: 1_000,
      now: () => 0,
      onLimit: () => undefined,
    });
    folder = await files.makeFolder();
  });
  afterEach(async () => {
    await database.close();
    await temp.remove();
  });

  /** Leaves a file like an attempt that was killed. */
  async function come(name: string, note: Partial<FileNote> = {}): Promise<string> {
    const path = join(folder, name);
    writeFileSync(path, Buffer.alloc(100));
    await noteFile(path, { item, deviceFromMs: 995_000, deviceToMs: 1_595_000, bytes: 100, place: 0, ...note });
    return path;
  }

  async function startAgain(): Promise<Leftovers> {
    return new Leftovers(await files.sweep(), {
      items: stores.syncItems,
      device: () => ({ deviceId: 'BUS1', incarnation, archiveId: 'BUS1' }) as SyncDevice,
      ingest: {
        file: async (path, target) => {
          expect(existsSync(path)).toBe(true);
          read.push({ path, target });
          whileReading();
          return outcomes[read.length - 1] ?? { kind: 'stored', addedMs: 1, bytes: 1 };
        },
        length: async () => ({ isDated: true, lengthMs: 1_000 }),
      },
      keep: (path, bytes, id) => files.keep(path, bytes, id),
      removeFolder: (path) => files.removeFolder(path),
      onFault: (error) => {
        throw error;
      },
    });
  }

  it('is read at the next start, in the order in which it came, and then removed', async () => {
    const second = await come('a', { place: 1 });
    const first = await come('b', { place: 0 });
    await (await startAgain()).readAll();
    expect(read.map(({ path }) => path)).toEqual([first, second]);
    expect(read[0]?.target).toMatchObject({ archiveId: 'BUS1', deviceFromMs: 995_000, deviceToMs: 1_595_000 });
    expect(read[0]?.target.toGatewayMs(995_000)).toBe(1_000_000);
    expect(existsSync(folder)).toBe(false);
  });

  it('is no file that was still coming, nor one that was being continued', async () => {
    await come('continued', { bytes: 80 });
    writeFileSync(join(folder, 'coming'), Buffer.alloc(50));
    const torn = join(folder, 'torn');
    writeFileSync(torn, Buffer.alloc(100));
    writeFileSync(`${torn}.whole`, '{"item":1,"by');
    await (await startAgain()).readAll();
    expect(read).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('is not what broke off behind its first end', async () => {
    await noteFile(await come('a'), undefined);
    await (await startAgain()).readAll();
    expect(read).toEqual([]);
  });

  it('is kept as a file to download where it is no video', async () => {
    outcomes = [{ kind: 'unreadable' }];
    await come('log');
    await (await startAgain()).readAll();
    const { file = '' } = (await stores.syncItems.find(item)) ?? {};
    expect(existsSync(files.pathOf(file))).toBe(true);
    await files.sweep();
    expect(existsSync(files.pathOf(file))).toBe(true);
  });

  it('stays while the disk takes nothing, and is read when its item has its turn', async () => {
    outcomes = [{ kind: 'failed', fault: 'disk-full' }];
    const path = await come('a');
    const leftovers = await startAgain();
    await leftovers.readAll();
    // The item may be requested again, which reads the file first.
    expect([existsSync(path), leftovers.isAwaited(item)]).toEqual([true, false]);
    await leftovers.retry(item + 1);
    expect(read).toHaveLength(1);
    await leftovers.retry(item);
    expect([read.length, existsSync(folder)]).toEqual([2, false]);
  });

  it('is awaited until it was read, and read once', async () => {
    await come('a');
    const leftovers = await startAgain();
    expect([leftovers.isAwaited(item), leftovers.isAwaited(item + 1)]).toEqual([true, false]);
    const reading = leftovers.readAll();
    await leftovers.retry(item);
    expect(leftovers.isAwaited(item)).toBe(true);
    await reading;
    expect([leftovers.isAwaited(item), read.length]).toEqual([false, 1]);
  });

  it('is awaited until the last of several uploads of its item was read', async () => {
    await come('a');
    folder = await files.makeFolder();
    await come('b');
    const leftovers = await startAgain();
    const seen: boolean[] = [];
    whileReading = () => seen.push(leftovers.isAwaited(item));
    await leftovers.readAll();
    expect([seen, leftovers.isAwaited(item)]).toEqual([[true, true], false]);
  });

  it('is wanted by nobody where its item has ended', async () => {
    await come('a');
    await stores.syncItems.change(item, { state: 'canceled' }, 0);
    await (await startAgain()).readAll();
    expect([read, readdirSync(join(temp.path, 'sync'))]).toEqual([[], ['files']]);
  });

  it('stays for the next start where the gateway ends first', async () => {
    await come('a');
    const leftovers = await startAgain();
    leftovers.close();
    await leftovers.readAll();
    expect([read, existsSync(folder)]).toEqual([[], true]);
  });
});
