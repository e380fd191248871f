import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { BackupStore, NewBackup } from '../../../../server/store/system/backups.ts';
import { createBackupStore } from '../../../../server/store/system/backups.ts';
import { describeOnBothEngines, openTestDatabase } from '../testDatabase.ts';

const AT = 1_795_000_000_000;
const ARCHIVE = { bytes: 5_000_000_000, rows: 3_000_000_000, sha256: 'ab', schemaVersion: 33 };

function aBackup(changes: Partial<NewBackup> = {}): NewBackup {
  return {
    ...{
      file: `${AT}.fgb`,
      atMs: AT,
      madeBy: 'amy',
      isManual: true,
      isUploaded: false,
      note: 'before',
      productVersion: '1',
      engine: 'sqlite',
    },
    ...{ sealedKey: 'v1.x', encryption: 'passphrase', history: ['events', 'audit'], files: ['reports'] },
    ...changes,
  };
}

describeOnBothEngines('the store of backups', (engine) => {
  let store: BackupStore;
  beforeEach(async () => {
    const database = await openTestDatabase(engine);
    onTestFinished(() => database.close());
    store = createBackupStore(database.db);
  });

  it('keeps what is in one, and how it came out', async () => {
    const { id } = await store.insert(aBackup());
    expect(await store.find(id)).toMatchObject({ state: 'running', history: ['events', 'audit'], files: ['reports'] });
    await store.end(id, { state: 'done', fault: '', detail: '', atMs: AT + 1, archive: ARCHIVE });
    expect(await store.find(id)).toMatchObject({
      state: 'done',
      endedAtMs: AT + 1,
      ...ARCHIVE,
      test: { state: 'none' },
    });
    expect(await store.beginTest(id)).toBe(true);
    await store.endTest(id, { state: 'failed', fault: 'damaged', detail: 'x', atMs: AT + 2, durationMs: 41.5 });
    const test = { state: 'failed', fault: 'damaged', atMs: AT + 2, durationMs: 42 };
    expect(await store.find(id)).toMatchObject({ test, detail: 'x' });
  });

  it('learns what is in one that was handed in', async () => {
    const { id } = await store.insert(aBackup({ isUploaded: true, history: [], files: [] }));
    const contents = { rows: 3_000_000_000, history: ['audit'], files: ['evidence', 'firmware'] } as const;
    await store.learn(id, contents);
    expect(await store.find(id)).toMatchObject({ ...contents, files: ['firmware', 'evidence'] });
  });

  it('lists the newest first', async () => {
    for (const [file, atMs] of [
      ['b', AT + 1],
      ['c', AT + 2],
      ['a', AT],
    ] as const)
      await store.insert(aBackup({ file, atMs }));
    expect((await store.list()).map(({ file }) => file)).toEqual(['c', 'b', 'a']);
  });

  it('tests none that isn’t done', async () => {
    const { id } = await store.insert(aBackup());
    expect(await store.beginTest(id)).toBe(false);
    await store.remove(id);
    expect(await store.find(id)).toBeUndefined();
  });

  it('notes what a stop has interrupted, and leaves the others', async () => {
    const running = await store.insert(aBackup({ file: 'a' }));
    const tested = await store.insert(aBackup({ file: 'b' }));
    await store.end(tested.id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
    await store.beginTest(tested.id);
    await store.interruptRunning(AT + 9);
    expect(await store.find(running.id)).toMatchObject({ state: 'failed', fault: 'interrupted', endedAtMs: AT + 9 });
    expect(await store.find(tested.id)).toMatchObject({ state: 'done', fault: '', test: { state: 'none' } });
  });

  it.each([
    ['passed', ''],
    ['failed', 'damaged'],
  ] as const)('keeps what a test said that %s when one after it is canceled or interrupted', async (state, fault) => {
    const { id } = await store.insert(aBackup());
    await store.end(id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
    await store.beginTest(id);
    await store.endTest(id, { state, fault, detail: '', atMs: AT + 2, durationMs: 41 });
    for (const undo of [() => store.dropTest(id), () => store.interruptRunning(AT + 9)]) {
      await store.beginTest(id);
      expect((await store.find(id))?.test).toEqual({ state: 'running', fault, atMs: AT + 2, durationMs: 41 });
      await undo();
      expect((await store.find(id))?.test).toEqual({ state, fault, atMs: AT + 2, durationMs: 41 });
    }
  });

  it('orders a copy of what is done and has none, and notes how it went', async () => {
    const running = await store.insert(aBackup({ file: 'a' }));
    expect(await store.orderCopy(running.id)).toBe(false);
    const { id } = await store.insert(aBackup({ file: 'b' }));
    await store.end(id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
    expect([await store.orderCopy(id), await store.orderCopy(id)]).toEqual([true, false]);
    expect(await store.find(id)).toMatchObject({ copyState: 'waiting', copyFault: '' });
    await store.endCopy(id, { state: 'failed', fault: 'copy-refused' });
    expect(await store.find(id)).toMatchObject({ copyState: 'failed', copyFault: 'copy-refused' });
    expect(await store.orderCopy(id)).toBe(true);
    await store.endCopy(id, { state: 'done', fault: '' });
    expect(await store.orderCopy(id)).toBe(false);
  });

  it('tries failed copies again at a start, and none without a bucket', async () => {
    for (const state of ['none', 'waiting', 'done', 'failed'] as const) {
      const { id } = await store.insert(aBackup({ file: state }));
      await store.end(id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
      await store.endCopy(id, { state, fault: state === 'failed' ? 'copy-refused' : '' });
    }
    const states = async () => (await store.list()).map(({ copyState, copyFault }) => copyState + copyFault).reverse();
    await store.reorderCopies(true);
    expect(await states()).toEqual(['none', 'waiting', 'done', 'waiting']);
    await store.reorderCopies(false);
    expect(await states()).toEqual(['none', 'none', 'done', 'none']);
  });

  it('ends one once', async () => {
    const { id } = await store.insert(aBackup());
    await store.end(id, { state: 'canceled', fault: 'canceled', detail: '', atMs: AT });
    await store.end(id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
    expect(await store.find(id)).toMatchObject({ state: 'canceled', bytes: 0 });
  });

  it('forgets all failures but the newest', async () => {
    for (const at of [1, 2, 3]) {
      const { id } = await store.insert(aBackup({ file: String(at), atMs: AT + at }));
      await store.end(id, { state: at === 3 ? 'canceled' : 'failed', fault: 'disk-full', detail: '', atMs: AT });
    }
    const done = await store.insert(aBackup({ file: 'done' }));
    await store.end(done.id, { state: 'done', fault: '', detail: '', atMs: AT, archive: ARCHIVE });
    await store.removeOldFailures(2);
    expect((await store.list()).map(({ file }) => file)).toEqual(['3', '2', 'done']);
    await store.removeOldFailures(0);
    expect((await store.list()).map(({ file }) => file)).toEqual(['done']);
  });
});
