// Archives from elsewhere, taken over by a real runner in real threads, from uploads that are files.
import { createHash } from 'node:crypto';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeArchive } from '../../../../server/backup/archive/writeArchive.ts';
import { tryOwnReads } from '../../../../server/backup/runner/ownReads.ts';
import { NEWEST_SCHEMA } from '../../../../server/store/backup/migrateHere.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { UploadFiles } from '../../../../server/uploads/uploadFiles.ts';
import { Uploads } from '../../../../server/uploads/uploads.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aRun, aWriteTask } from '../../../support/backup/archives.ts';
import { backupScene } from '../../../support/backup/backupScene.ts';
import { craftedArchive } from '../../../support/backup/craftedArchive.ts';
import { inProcessBackups } from '../../../support/backup/inProcessBackups.ts';
import { openForThreads } from '../../store/testDatabase.ts';

const PASSPHRASE = 'a long enough passphrase';
const KEYED = { kind: 'passphrase', passphrase: PASSPHRASE } as const;
const BY = { id: 1, username: 'amy' };

function fail(error: Error): never {
  throw error;
}

describe('backups that are handed in', () => {
  async function open() {
    const { folder, location, database } = await openForThreads('sqlite');
    const stores = createStores(database.db, undefined, database.reading);
    const amy = await stores.users.insert({ username: 'amy', passwordHash: 'none', permissions: [] }, wallMs(0));
    const scene = backupScene({
      store: stores.backups,
      settings: stores.settings,
      threads: inProcessBackups(fail),
      database: location,
      tryReads: (file) => tryOwnReads(file, fail),
      folder,
    });
    const files = new UploadFiles(join(folder, 'uploads'));
    let count = 0;
    const uploads = new Uploads({
      ...{ store: stores.uploads, files, maxBytes: 2 ** 30, now: () => scene.clock.ms },
      createId: () => String(++count).padStart(32, '0'),
      ...{ runAfter: () => () => undefined, onLimit: () => undefined, onFault: fail },
    });
    await files.start();
    await scene.runner.start();
    onTestFinished(() => scene.runner.close());
    const archive = async (changes: Parameters<typeof aWriteTask>[2] = {}): Promise<Buffer> => {
      const task = aWriteTask(location, folder, changes);
      await writeArchive(task, aRun());
      return readFile(task.path);
    };
    const upload = async (bytes: Buffer, announced = bytes): Promise<string> => {
      const sha256 = createHash('sha256').update(announced).digest('hex');
      const begun = await uploads.begin({ purpose: 'backup', bytes: bytes.length, sha256 }, amy);
      if (!begun.ok) expect.fail(begun.reason);
      await uploads.part({ id: begun.value.id, userId: amy, offset: 0, bytes });
      return begun.value.id;
    };
    const take = (id: string) => scene.runner.takeUploaded({ upload: id, by: { ...BY, id: amy } }, uploads);
    return { ...scene, stores, files, archive, upload, take };
  }

  it('are in the list as if they were made here, once they are read, where they are not encrypted', async () => {
    const { stores, folder, files, archive, upload, take, idle, runner } = await open();
    const source = join(folder.path, '..', 'report.bin');
    await writeFile(source, 'a report');
    const report = { kind: 'report', name: 'a'.repeat(32), path: source } as const;
    const bytes = await archive({ note: 'of the depot', history: ['events'], files: [report] });
    const begun = await take(await upload(bytes));
    expect(begun).toMatchObject({ ok: true, value: { state: 'running', isUploaded: true, note: 'of the depot' } });
    expect(runner.running).toMatchObject({ does: 'take' });
    await idle();
    const [backup] = await stores.backups.list();
    expect(backup).toMatchObject({
      ...{
        state: 'done',
        bytes: bytes.length,
        schemaVersion: NEWEST_SCHEMA,
        engine: 'sqlite',
        createdAtMs: 1_764_000_000_000,
      },
      ...{ history: ['events'], files: ['reports'], encryption: 'none', test: { state: 'none' } },
    });
    expect(backup?.rows).toBeGreaterThan(0);
    expect(await readFile(folder.pathOf(backup?.file ?? ''))).toEqual(bytes);
    expect(await files.ids()).toEqual([]);
    expect(await stores.uploads.all()).toEqual([]);
  });

  it('are known once their key has been given, which is kept nowhere', async () => {
    const { stores, archive, upload, take, idle, runner } = await open();
    await take(await upload(await archive({ key: KEYED })));
    await idle();
    const [backup] = await stores.backups.list();
    const { id = 0 } = backup ?? {};
    expect(backup).toMatchObject({ state: 'done', rows: 0, history: [], encryption: 'passphrase' });
    expect(await runner.testAgain(id, '')).toEqual({ ok: false, reason: 'required' });
    expect(await runner.testAgain(id, 'another passphrase')).toEqual({ ok: false, reason: 'wrong-key' });
    expect((await stores.backups.find(id))?.test.state).toBe('none');
    expect(await runner.testAgain(id, PASSPHRASE)).toMatchObject({ ok: true });
    await idle();
    const read = await stores.backups.find(id);
    expect(read).toMatchObject({
      history: ['positions', 'events', 'netflow', 'audit'],
      sealedKey: '',
      test: { state: 'passed' },
    });
    expect(read?.rows).toBeGreaterThan(0);
    expect(await runner.testAgain(id, '')).toEqual({ ok: false, reason: 'required' });
  });

  it('are refused at once where their head tells', async () => {
    const { stores, archive, upload, take } = await open();
    const whole = await archive();
    expect(await take(await upload(Buffer.concat([Buffer.from('no '), whole])))).toMatchObject({
      reason: 'not-an-archive',
    });
    const newer = await craftedArchive([], { schemaVersion: NEWEST_SCHEMA + 1 });
    expect(await take(await upload(newer))).toMatchObject({ reason: 'newer-schema' });
    expect(await take(await upload(whole.subarray(0, 20)))).toMatchObject({ reason: 'truncated' });
    expect(await take('f'.repeat(32))).toMatchObject({ reason: 'gone' });
    expect(await stores.backups.list()).toEqual([]);
  });

  it.each([
    ['none', { kind: 'none' }],
    ['passphrase', KEYED],
  ] as const)('fail in the list where the rest is missing or changed: %s', async (_, key) => {
    const { stores, folder, files, archive, upload, take, idle } = await open();
    const whole = await archive({ key });
    await take(await upload(whole.subarray(0, -1)));
    await idle();
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 1, changed.length >> 1);
    await take(await upload(changed));
    await idle();
    await take(await upload(whole, changed));
    await idle();
    const backups = await stores.backups.list();
    expect(backups.map(({ state, fault }) => [state, fault])).toEqual([
      ['failed', 'damaged'],
      ['failed', 'damaged'],
      ['failed', 'truncated'],
    ]);
    expect(await readdir(folder.path)).toEqual([]);
    expect(await files.ids()).toEqual([]);
  });

  it('can be taken again after somebody canceled it', async () => {
    const { stores, folder, archive, upload, take, idle, runner } = await open();
    const id = await upload(await archive());
    const begun = await take(id);
    expect(runner.cancel(begun.ok ? begun.value.id : 0)).toBe(true);
    await idle();
    expect(await stores.backups.list()).toMatchObject([{ state: 'canceled', fault: 'canceled' }]);
    await take(id);
    await idle();
    const [again] = await stores.backups.list();
    expect(again).toMatchObject({ state: 'done' });
    await access(folder.pathOf(again?.file ?? ''));
  });
});
