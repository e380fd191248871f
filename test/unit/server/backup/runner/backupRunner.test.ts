// One at a time, and what becomes of those that come to nothing: with threads that do as they are told.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ArchiveFailure } from '../../../../../server/backup/archive/faults.ts';
import type { Written } from '../../../../../server/backup/archive/writeArchive.ts';
import { createBackupAudit } from '../../../../../server/backup/runner/backupAudit.ts';
import { runWhenDue } from '../../../../../server/backup/runner/backupSchedule.ts';
import type { BackupStepsDeps } from '../../../../../server/backup/runner/backupSteps.ts';
import { isNewestTested } from '../../../../../server/backup/runner/retention.ts';
import type { BackupThreads } from '../../../../../server/backup/thread/backupThread.ts';
import { aLoaded, aManifest } from '../../../../support/backup/aManifest.ts';
import { backupScene } from '../../../../support/backup/backupScene.ts';
import { fakeBackupStore } from '../../../../support/backup/fakeBackupStore.ts';
import { fakeSettings } from '../../../../support/backup/fakeSettings.ts';
import { createTempFolder } from '../../../../support/tempFolder.ts';

const DAY_MS = 86_400_000;
const WANTED = { madeBy: 'amy', note: '' };
const MANIFEST = aManifest(3);

/** Writes a file of four bytes, and loads whatever is there. */
const THREADS: Pick<BackupThreads, 'write' | 'load' | 'survey'> = {
  write: async ({ path }) => {
    await writeFile(path, 'good');
    return { ok: true, manifest: MANIFEST, bytes: 4, sha256: 'ab' };
  },
  load: async () => aLoaded(3),
  survey: async () => ({ ok: false, fault: 'damaged', detail: 'no file' }),
};

let root: string;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(folder.remove);
  root = folder.path;
});

async function open(
  threads: Partial<typeof THREADS> = {},
  tryReads: (file: string) => Promise<void> = async () => {},
  changes: Partial<BackupStepsDeps> = {},
) {
  const store = fakeBackupStore();
  const { settings } = fakeSettings();
  const database = { engine: 'sqlite', file: ':memory:' } as const;
  const given = { store, settings, threads: { ...THREADS, ...threads }, database, tryReads, folder: root };
  const scene = backupScene(given, changes);
  await scene.runner.start();
  return { ...scene, store, settings };
}

/** Ends when it is canceled, as threads do. */
function untilCanceled(signal: AbortSignal): Promise<ArchiveFailure> {
  return new Promise((resolve) => {
    const end = () => resolve({ ok: false, fault: 'canceled', detail: 'canceled' });
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}

describe('BackupRunner', () => {
  it('makes one at a time', async () => {
    const { runner, store, idle } = await open();
    const [first, second] = await Promise.all([runner.make(WANTED), runner.make(WANTED)]);
    expect([first.ok, second]).toEqual([true, { ok: false, reason: 'busy' }]);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'done', rows: 3, sha256: 'ab', test: { state: 'passed' } }]);
  });

  it('shows what it does and how far it is', async () => {
    const seen: unknown[] = [];
    const { runner, idle } = await open({
      write: async (task, options) => {
        options.onProgress({ rows: 2, bytes: 20 });
        seen.push(runner.running);
        return THREADS.write(task, options);
      },
      load: async (task, options) => {
        seen.push(runner.running);
        return THREADS.load(task, options);
      },
    });
    await runner.make(WANTED);
    await idle();
    expect(seen).toEqual([
      { id: 1, does: 'write', rows: 2, bytes: 20 },
      { id: 1, does: 'test', rows: 0, bytes: 0 },
    ]);
    expect(runner.running).toBeUndefined();
  });

  it.each(['disk-full', 'wal-too-large', 'unknown-table'] as const)('fails with %s', async (fault) => {
    const { runner, store, idle } = await open({ write: async () => ({ ok: false, fault, detail: 'there' }) });
    await runner.make(WANTED);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'failed', fault, detail: 'there', test: { state: 'none' } }]);
  });

  it('fails where its folder is missing, and loses nothing', async () => {
    const { runner, store, idle, folder } = await open();
    await runner.make(WANTED);
    await idle();
    await rm(folder.path, { recursive: true });
    await writeFile(folder.path, 'in its place');
    await runner.make(WANTED);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'failed', fault: 'folder-missing' }, { state: 'done' }]);
    expect(await runner.remove(1)).toMatchObject({ ok: false });
  });

  it('says so where what goes wrong is none of the archive', async () => {
    const { runner, store, idle, faults } = await open({ write: () => Promise.reject(new Error('no thread')) });
    await runner.make(WANTED);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'failed', fault: 'internal', detail: 'no thread' }]);
    expect(faults).toEqual(['a backup failed']);
  });

  it('is canceled, while it is written or tested', async () => {
    const { runner, store, idle } = await open({
      write: (_, { signal }) => untilCanceled(signal) as Promise<Written | ArchiveFailure>,
    });
    await runner.make(WANTED);
    expect(runner.cancel(2)).toBe(false);
    expect(runner.cancel(1)).toBe(true);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'canceled' }]);
    expect(runner.cancel(1)).toBe(false);
  });

  it('knows nothing of a test that was canceled', async () => {
    const { runner, store, idle } = await open({
      load: (_, { signal }) => {
        runner.cancel(1);
        return untilCanceled(signal);
      },
    });
    await runner.make(WANTED);
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'done', test: { state: 'none' } }]);
  });

  it('keeps the last that passed while it is tested again, also when that is canceled', async () => {
    let loads = 0;
    const during: boolean[] = [];
    const { runner, store, idle } = await open({
      load: async (task, options) => {
        if (loads++ === 0) return THREADS.load(task, options);
        during.push(isNewestTested(await store.list(), 1));
        runner.cancel(1);
        return untilCanceled(options.signal);
      },
    });
    await runner.make(WANTED);
    await idle();
    await runner.testAgain(1, '');
    await idle();
    expect(during).toEqual([true]);
    expect(await runner.remove(1)).toEqual({ ok: false, reason: 'last-tested' });
  });

  it('finds rows that are missing, and reads that fail', async () => {
    const one = await open({ load: async () => aLoaded(2) });
    await one.runner.make(WANTED);
    await one.idle();
    expect((await one.store.list())[0]?.test).toMatchObject({ state: 'failed', fault: 'damaged' });
    const other = await open({}, () => Promise.reject(new Error('no such column')));
    await other.runner.make(WANTED);
    await other.idle();
    expect((await other.store.list())[0]).toMatchObject({ detail: 'no such column', test: { fault: 'unreadable' } });
  });

  it('is interrupted by a stop, as the next start notes', async () => {
    const { runner, store } = await open({ write: (_, { signal }) => untilCanceled(signal) });
    await runner.make(WANTED);
    await runner.close();
    expect(await store.list()).toMatchObject([{ state: 'running' }]);
    expect(await runner.make(WANTED)).toEqual({ ok: false, reason: 'busy' });
    const next = backupScene({ ...sceneParts(), store, threads: THREADS, tryReads: async () => {}, folder: root });
    await mkdir(join(root, 'backup-tests', 'left'), { recursive: true });
    const whole = (await store.list())[0]?.file ?? '';
    for (const file of [whole, `${whole}.0123456789ab.part`, 'mine.part', 'mine.fgb'])
      await writeFile(join(next.folder.path, file), '');
    await next.runner.start();
    expect(await store.list()).toMatchObject([{ state: 'failed', fault: 'interrupted' }]);
    expect((await readdir(root)).sort()).toEqual(['backups']);
    expect((await readdir(next.folder.path)).sort()).toEqual(['mine.fgb', 'mine.part']);
  });

  it('leaves alone what another gateway may be making, and clears up once it is gone', async () => {
    const { runner: other, store, folder } = await open({ write: (_, { signal }) => untilCanceled(signal) });
    await other.make(WANTED);
    const file = (await store.list())[0]?.file ?? '';
    const part = `${file}.0123456789ab.part`;
    await writeFile(join(folder.path, part), '');
    const there = { alone: false };
    const scene = backupScene(
      { ...sceneParts(), store, threads: THREADS, tryReads: async () => {}, folder: root },
      { isAlone: async () => there.alone },
    );
    const { runner, plans } = scene;
    await runner.start();
    await runWhenDue({ plans, runner });
    expect(await store.list()).toMatchObject([{ state: 'running' }]);
    expect(await readdir(folder.path)).toEqual([part]);
    await other.close();
    there.alone = true;
    await runWhenDue({ plans, runner });
    expect(await store.list()).toMatchObject([{ state: 'failed', fault: 'interrupted' }]);
    expect(await readdir(folder.path)).toEqual([]);
    // Once: what is there later is its own.
    await writeFile(join(folder.path, part), '');
    await runWhenDue({ plans, runner });
    expect(await readdir(folder.path)).toEqual([part]);
  });

  it('does not take what it makes itself for what another has left', async () => {
    const there = { alone: false };
    const { runner, plans, store } = await open({ write: (_, { signal }) => untilCanceled(signal) }, async () => {}, {
      isAlone: async () => there.alone,
    });
    await runner.make(WANTED);
    there.alone = true;
    await runWhenDue({ plans, runner });
    expect(await store.list()).toMatchObject([{ state: 'running' }]);
    await runner.close();
  });

  it('begins by the schedule what is due, once, after what runs', async () => {
    const { runner, plans, store, plan, clock, idle } = await open();
    await plan({ enabled: true });
    await runWhenDue({ plans, runner });
    expect(await store.list()).toEqual([]);
    clock.ms += DAY_MS;
    await runner.make(WANTED);
    await runWhenDue({ plans, runner });
    await idle();
    await runWhenDue({ plans, runner });
    await idle();
    await runWhenDue({ plans, runner });
    expect((await store.list()).map(({ madeBy, isManual }) => [madeBy, isManual])).toEqual([
      ['', false],
      ['amy', true],
    ]);
  });

  it('says in the list that the key of the plan does not open', async () => {
    const { runner, plan, settings, store } = await open();
    await plan({ encryption: 'passphrase' }, 'a long enough passphrase');
    const other = backupScene({
      ...sceneParts(),
      settings,
      store,
      threads: THREADS,
      tryReads: async () => {},
      folder: root,
    });
    expect(await other.runner.make(WANTED)).toEqual({ ok: false, reason: 'key-missing' });
    expect(await store.list()).toMatchObject([{ state: 'failed', fault: 'wrong-key' }]);
    expect(await runner.make(WANTED)).toMatchObject({ ok: true });
    await runner.close();
  });

  it('deletes what the plan keeps no more, and never what was made by hand', async () => {
    const { runner, plans, store, plan, clock, idle, folder } = await open();
    await plan({ enabled: true, keepDays: 2, keepWeeks: 0, keepMonths: 0 });
    await runner.make(WANTED);
    await idle();
    for (let day = 0; day < 5; day++) {
      await runWhenDue({ plans, runner });
      await idle();
      clock.ms += DAY_MS;
    }
    const kept = await store.list();
    expect(kept.map(({ isManual }) => isManual)).toEqual([false, false, true]);
    expect((await readdir(folder.path)).sort()).toEqual(kept.map(({ file }) => file).sort());
  });

  it('tells the audit what it did by itself: what the schedule began, how tests came out, what the plan deleted', async () => {
    let fault: 'damaged' | undefined;
    const { runner, plans, plan, clock, idle, audited } = await open({
      load: async (task, options) => {
        clock.ms += 1_500;
        return fault === undefined ? THREADS.load(task, options) : { ok: false, fault, detail: '' };
      },
    });
    await plan({ enabled: true, keepDays: 1, keepWeeks: 0, keepMonths: 0 });
    await runWhenDue({ plans, runner });
    for (fault of [undefined, undefined, 'damaged'] as const) {
      clock.ms += DAY_MS;
      await runWhenDue({ plans, runner });
      await idle();
    }
    const [first, second, third] = [audited[0], audited[2], audited.at(-2)].map((entry) => entry?.target);
    const passed = { actor: '', action: 'backup.tested', detail: { result: 'passed', milliseconds: 1_500 } };
    expect(audited).toEqual([
      { actor: '', action: 'backup.auto', target: first, detail: { note: '' } },
      { ...passed, target: first },
      { actor: '', action: 'backup.auto', target: second, detail: { note: '' } },
      { ...passed, target: second },
      { actor: '', action: 'backup.expire', target: first, before: { note: '' } },
      { actor: '', action: 'backup.auto', target: third, detail: { note: '' } },
      { ...passed, target: third, detail: { result: 'failed', milliseconds: 1_500, reason: 'damaged' } },
    ]);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('tells the audit who began one by hand, and from where', async () => {
    const { runner, idle, audited } = await open();
    const begun = await runner.make({ madeBy: 'amy', note: 'before the move', address: '192.0.2.7' });
    await idle();
    expect(audited[0]).toEqual({
      ...{ actor: 'amy', action: 'backup.make', address: '192.0.2.7' },
      target: begun.ok ? begun.value.file : '',
      detail: { note: 'before the move' },
    });
  });

  it('makes a backup also when the audit can’t be told', async () => {
    const { runner, plans, plan, clock, idle, store, faults, deps } = await open();
    await plan({ enabled: true });
    await runWhenDue({ plans, runner });
    const lost = createBackupAudit({ ...deps, store: { add: () => Promise.reject(new Error('away')) } });
    Object.assign(deps.audit, lost);
    clock.ms += DAY_MS;
    await runWhenDue({ plans, runner });
    await idle();
    expect(await store.list()).toMatchObject([{ state: 'done', test: { state: 'passed' } }]);
    expect(faults).toEqual(Array(2).fill('a backup is missing in the audit'));
  });

  it('wants a copy of what passed its test, and of nothing else', async () => {
    let loads = 0;
    const { runner, idle, deps } = await open({
      load: async (task, options) => {
        if (loads++ === 0) return { ok: false, fault: 'damaged', detail: '' };
        return THREADS.load(task, options);
      },
    });
    const wanted: number[] = [];
    deps.copies.want = async (id) => void wanted.push(id);
    await runner.make(WANTED);
    await idle();
    expect(wanted).toEqual([]);
    await runner.testAgain(1, '');
    await idle();
    expect(wanted).toEqual([1]);
  });

  it('forgets the copies of what is deleted, by the plan or when asked', async () => {
    const { runner, plans, plan, clock, idle, deps, store } = await open();
    const forgotten: number[] = [];
    deps.copies.forget = async ({ id }) => {
      expect(await store.find(id), 'first').toBeDefined();
      forgotten.push(id);
    };
    await plan({ enabled: true, keepDays: 1, keepWeeks: 0, keepMonths: 0 });
    await runner.make(WANTED);
    await idle();
    for (let day = 0; day < 3; day++) {
      await runWhenDue({ plans, runner });
      await idle();
      clock.ms += DAY_MS;
    }
    await runner.remove(1);
    expect(forgotten).toEqual([2, 1]);
  });

  it('deletes one when asked, but not the newest that passed its test', async () => {
    const { runner, store, idle, folder, clock } = await open();
    await runner.make(WANTED);
    await idle();
    expect(await runner.remove(1)).toEqual({ ok: false, reason: 'last-tested' });
    expect(await runner.remove(7)).toEqual({ ok: false, reason: 'no-such-backup' });
    clock.ms += 1_000;
    await runner.make(WANTED);
    await idle();
    expect(await runner.remove(1)).toMatchObject({ ok: true, value: { id: 1 } });
    expect((await store.list()).map(({ id }) => id)).toEqual([2]);
    expect(await readdir(folder.path)).toHaveLength(1);
  });
});

function sceneParts() {
  return { settings: fakeSettings().settings, database: { engine: 'sqlite', file: ':memory:' } as const };
}
