import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearRestores, recoverRestore } from '../../../../server/backup/restore/restoration.ts';
import type { Restored, RestoreFailure } from '../../../../server/backup/restore/restoreInstallation.ts';
import { lockRestore } from '../../../../server/backup/restore/restoreLock.ts';
import { anInstallation, leftovers, MEDIA, ROWS, ruin } from '../../../support/backup/installation.ts';
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
  it('brings back every row and file without sessions, and leaves nothing beside them', async () => {
    const installation = await anInstallation(engine);
    // Months of events lie apart on one of the engines.
    const atMs = Date.UTC(2026, 4, 5);
    await installation.change((db) =>
      db.updateTable('event').set({ begin_at_ms: atMs }).where('id', '<=', 3).execute(),
    );
    const before = await installation.state();
    const sessions = () => installation.read((db) => db.selectFrom('session').selectAll().execute());
    expect(await sessions()).toHaveLength(ROWS);
    const path = await installation.backUp();
    await ruin(installation);
    const { exchange } = restored(await installation.restore({ path }));
    await exchange.finish();
    const after = await installation.state();
    expect(without(after, OWN_TABLES)).toEqual(without(before, OWN_TABLES));
    expect(await sessions()).toEqual([]);
    const inMay = await installation.read((db) =>
      db.selectFrom('event').select('id').where('begin_at_ms', '=', atMs).execute(),
    );
    expect(inMay).toHaveLength(3);
    expect(await installation.readFile('second-factor.key')).toBe('key');
    expect(await installation.readFile(`evidence/01/${MEDIA}`)).toBe('picture');
    expect(await leftovers(installation)).toEqual([]);
  });

  it('runs once at a time, is undone as if it had never been, and told by the next start when nobody has finished it', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.state();
    const { exchange } = restored(await installation.restore({ path }));
    expect(await installation.restore({ path })).toEqual({ ok: false, fault: 'restore-running' });
    await exchange.undo();
    expect(await installation.state()).toEqual(before);
    expect(await installation.readFile('second-factor.key')).toBe('another');
    expect(await installation.readFile(`evidence/01/${MEDIA}`)).toBe('damaged');
    expect(await leftovers(installation)).toEqual([]);

    restored(await installation.restore({ path }));
    expect(await recoverRestore(installation)).toBe('new');
    await clearRestores(installation);
    expect(await recoverRestore(installation)).toBe('none');
    expect(await leftovers(installation)).toEqual([]);
    expect(await installation.readFile('second-factor.key')).toBe('key');
  });

  // Other failures are those of `badArchives`, `fullDisk` and `lostDatabase`.
  it('that fails by its key or is canceled leaves everything as it was', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    await ruin(installation);
    const before = await installation.whole();
    for (const [fault, wanted, run] of [
      ['wrong-key', { key: { kind: 'recovery-key', key: Buffer.alloc(32, 8) } as const }, {}],
      ['key-needed', { key: { kind: 'none' } as const }, {}],
      ['canceled', {}, { signal: AbortSignal.abort() }],
    ] as const) {
      expect(await installation.restore({ path, ...wanted }, run)).toMatchObject({ ok: false, fault });
      expect([fault, await leftovers(installation)]).toEqual([fault, []]);
    }
    expect(await installation.whole()).toEqual(before);
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
