import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearRestores, recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import type { Restored, RestoreFailure } from '../../../../server/backup/restore/restoreInstallation.ts';
import { lockRestore } from '../../../../server/backup/restore/restoreLock.ts';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { migrations } from '../../../../server/store/migrations/list.ts';
import { anInstallation, KEY, leftovers, MEDIA, ROWS, ruin } from '../../../support/backup/installation.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

/** What a restore itself writes. */
const OWN_TABLES = ['setting'];

function restored(outcome: Restored | RestoreFailure): Restored {
  if (!outcome.ok) expect.fail(JSON.stringify(outcome));
  return outcome;
}

function without(state: ReadonlyMap<string, string>, names: readonly string[]): unknown {
  return [...state].filter(([name]) => !names.includes(name));
}

describeOnBothEngines('a restore', (engine) => {
  it('brings back every row and file, and leaves nothing beside them', async () => {
    const installation = await anInstallation(engine);
    const before = await installation.state();
    const path = await installation.backUp();
    await ruin(installation);
    const { exchange } = restored(await installation.restore({ path }));
    await exchange.finish();
    const after = await installation.state();
    expect(without(after, OWN_TABLES)).toEqual(without(before, OWN_TABLES));
    expect(await installation.readFile('second-factor.key')).toBe('key');
    expect(await installation.readFile(`evidence/01/${MEDIA}`)).toBe('picture');
    expect(await leftovers(installation)).toEqual([]);
    // Another one can follow.
    restored(await installation.restore({ path }));
  });

  it('has no sessions afterwards', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    expect(await installation.read((db) => db.selectFrom('session').selectAll().execute())).toHaveLength(ROWS);
    restored(await installation.restore({ path }));
    expect(await installation.read((db) => db.selectFrom('session').selectAll().execute())).toEqual([]);
  });

  it('is undone as if it had never been', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.state();
    const { exchange } = restored(await installation.restore({ path }));
    await exchange.undo();
    expect(await installation.state()).toEqual(before);
    expect(await installation.readFile('second-factor.key')).toBe('another');
    expect(await installation.readFile(`evidence/01/${MEDIA}`)).toBe('damaged');
    expect(await leftovers(installation)).toEqual([]);
  });

  it('is told by the next start when nobody has finished it', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    restored(await installation.restore({ path }));
    expect(await recoverRestore(installation)).toBe('new');
    await clearRestores(installation);
    expect(await recoverRestore(installation)).toBe('none');
    expect(await leftovers(installation)).toEqual([]);
    expect(await installation.readFile('second-factor.key')).toBe('key');
  });

  it('keeps months of events apart', async () => {
    const installation = await anInstallation(engine);
    const atMs = Date.UTC(2026, 4, 5);
    await installation.change((db) =>
      db.updateTable('event').set({ begin_at_ms: atMs }).where('id', '<=', 3).execute(),
    );
    const path = await installation.backUp();
    await ruin(installation);
    restored(await installation.restore({ path }));
    const found = await installation.read((db) =>
      db.selectFrom('event').select('id').where('begin_at_ms', '=', atMs).execute(),
    );
    expect(found).toHaveLength(3);
  });

  it('runs once at a time', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    restored(await installation.restore({ path }));
    expect(await installation.restore({ path })).toEqual({ ok: false, fault: 'restore-running' });
  });
});

describe('a restore whose end fails', () => {
  it.each(['finish', 'undo'] as const)('by its %s keeps no other one waiting', async (end) => {
    const installation = await anInstallation('sqlite');
    const path = await installation.backUp();
    const { exchange } = restored(await installation.restore({ path }));
    // No journal can be removed or written there.
    const journal = join(installation.dataDir, 'restore/journal.json');
    await rm(journal);
    await mkdir(journal);
    await expect(exchange[end]()).rejects.toThrow();
    const lock = await lockRestore(installation.dataDir);
    expect(lock).toBeDefined();
    lock?.release();
  });
});

describeOnBothEngines('a restore that fails', (engine) => {
  const noSpace = (): never => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };

  it.each([
    ['wrong-key', { key: { kind: 'recovery-key', key: Buffer.alloc(32, 8) } as const }, {}],
    ['key-needed', { key: { kind: 'none' } as const }, {}],
    ['disk-full', {}, { onProgress: noSpace }],
    ['canceled', {}, { signal: AbortSignal.abort() }],
  ])('by %s leaves everything as it was', async (fault, wanted, run) => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.state();
    expect(await installation.restore({ path, ...wanted }, run)).toMatchObject({ ok: false, fault });
    expect(await installation.state()).toEqual(before);
    expect(await installation.readFile('second-factor.key')).toBe('another');
    expect(await leftovers(installation)).toEqual([]);
  });

  it('by an archive that is cut short or changed leaves everything as it was', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    const bytes = await readFile(path);
    const before = await installation.state();
    await truncate(path, bytes.length - 5);
    expect(await installation.restore({ path })).toMatchObject({ ok: false, fault: 'truncated' });
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 200) ^ 1, bytes.length - 200);
    await writeFile(path, bytes);
    expect(await installation.restore({ path })).toMatchObject({ ok: false, fault: 'damaged' });
    expect(await installation.state()).toEqual(before);
    expect(await leftovers(installation)).toEqual([]);
  });

  it('by an archive of a newer version leaves everything as it was', async () => {
    const [newer, installation] = [await anInstallation(engine, 2), await anInstallation(engine)];
    const next = { version: migrations.length + 1, name: 'next year', up: async () => undefined };
    await (await openDatabase(newer.database, undefined, [...migrations, next])).close();
    const path = await newer.backUp();
    const before = await installation.state();
    expect(await installation.restore({ path, key: KEY })).toMatchObject({ ok: false, fault: 'newer-schema' });
    expect(await installation.state()).toEqual(before);
    expect(await leftovers(installation)).toEqual([]);
  });
});
