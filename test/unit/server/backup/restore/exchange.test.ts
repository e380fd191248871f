import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchange, recover, takeBack } from '../../../../../server/backup/restore/exchange.ts';
import type { Move } from '../../../../../server/backup/restore/renames.ts';
import { Crash, type MemoryState, memoryDisk } from '../../../../support/backup/memoryDisk.ts';
import { runs } from '../../../../support/runs.ts';

const ID = '0123456789ab';

interface Scene {
  /** Each is there before, after, or both. */
  readonly files: readonly { readonly before: boolean; readonly after: boolean }[];
  readonly isEmbedded: boolean;
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  files: fc
    .array(fc.record({ before: fc.boolean(), after: fc.boolean() }), { minLength: 1, maxLength: 5 })
    .map((all) => all.filter(({ before, after }) => before || after)),
  isEmbedded: fc.boolean(),
});

function build({ files, isEmbedded }: Scene): {
  readonly state: MemoryState;
  readonly journal: Parameters<typeof exchange>[0];
} {
  const state: MemoryState = { files: new Map(), journal: undefined, database: '', isEmbedded };
  const moves = files.map(({ before, after }, at): Move => {
    if (before) state.files.set(`f${at}`, 'old');
    if (after) state.files.set(`new/${at}`, 'new');
    return {
      present: `f${at}`,
      ...(before ? { aside: `old/${at}` } : {}),
      ...(after ? { staged: `new/${at}` } : {}),
    };
  });
  return { state, journal: { id: ID, engine: isEmbedded ? 'sqlite' : 'postgres', moves } };
}

/** What a gateway would find. */
function present({ files }: Scene, state: MemoryState): unknown {
  return [state.database, ...files.map((_, at) => state.files.get(`f${at}`))];
}

function oldState({ files }: Scene): unknown {
  return ['', ...files.map(({ before }) => (before ? 'old' : undefined))];
}

function newState({ files, isEmbedded }: Scene): unknown {
  return [isEmbedded ? '' : ID, ...files.map(({ after }) => (after ? 'new' : undefined))];
}

/** What follows a crash may crash too, before the one that doesn't. */
async function restartAfter(state: MemoryState, crashes: readonly number[]): Promise<string> {
  for (const acts of crashes) await recover(memoryDisk(state, acts)).catch(expectCrash);
  return recover(memoryDisk(state));
}

function expectCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

/** From the act `at` on, the journal can't be written; files can still go back to where they were. */
function fullDisk(state: MemoryState, at: number, acts = Number.POSITIVE_INFINITY): Parameters<typeof exchange>[1] {
  const { disk, database, used } = memoryDisk(state, acts);
  let isFull = false;
  const orFull = (work: () => Promise<void>): Promise<void> => {
    if (isFull || used() < at) return work();
    isFull = true;
    throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  };
  return {
    database,
    disk: {
      ...disk,
      rename: async (from, to) => orFull(() => disk.rename(from, to)),
      writeJournal: async (journal) => {
        if (isFull) throw new Error('the disk is still full');
        await orFull(() => disk.writeJournal(journal));
      },
    },
  };
}

const crashes = fc.array(fc.nat(8), { maxLength: 3 });

describe('an exchange', () => {
  it('leaves the new state, and the old one after it is taken back', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const { state, journal } = build(scene);
        await exchange(journal, memoryDisk(state));
        expect(present(scene, state)).toEqual(newState(scene));
        await takeBack(journal, memoryDisk(state));
        expect(present(scene, state)).toEqual(oldState(scene));
        expect(await recover(memoryDisk(state))).toBe('none');
      }),
    );
  });

  it('that is cut short anywhere is the old state or the new one after the next start, which says which', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(20), crashes, async (scene, acts, later) => {
        const { state, journal } = build(scene);
        await exchange(journal, memoryDisk(state, acts)).catch(expectCrash);
        const said = await restartAfter(state, later);
        seen.add(said);
        expect(present(scene, state)).toEqual(said === 'new' ? newState(scene) : oldState(scene));
      }),
      // Fewer may not come to each of the three.
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual(['new', 'none', 'old']);
  });

  it('that is cut short while it is taken back is the old state', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(20), crashes, async (scene, acts, later) => {
        const { state, journal } = build(scene);
        await exchange(journal, memoryDisk(state));
        const disk = memoryDisk(state, acts);
        await takeBack(journal, disk).catch(expectCrash);
        const said = await restartAfter(state, later);
        // Nothing of the way back was begun.
        if (disk.used() === 0) expect(said).toBe('new');
        expect(present(scene, state)).toEqual(said === 'new' ? newState(scene) : oldState(scene));
        if (disk.used() > 0) expect(said).not.toBe('new');
      }),
      { numRuns: runs(500) },
    );
  });

  it('that fails is taken back at once', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(20), async (scene, at) => {
        const { state, journal } = build(scene);
        const { disk, database } = memoryDisk(state);
        let renames = 0;
        const failing = {
          ...disk,
          rename: async (from: string, to: string) => {
            if (renames++ === at) throw new Error('the disk is full');
            await disk.rename(from, to);
          },
        };
        const failed = await exchange(journal, { disk: failing, database }).then(
          () => false,
          () => true,
        );
        expect(present(scene, state)).toEqual(failed ? oldState(scene) : newState(scene));
        if (failed) expect(state.journal).toBeUndefined();
      }),
    );
  });

  it('that fails on a full disk is taken back, though nothing can be written any more', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(20), async (scene, at) => {
        const { state, journal } = build(scene);
        const failed = await exchange(journal, fullDisk(state, at)).then(
          () => false,
          () => true,
        );
        expect(present(scene, state)).toEqual(failed ? oldState(scene) : newState(scene));
        if (failed) expect(state.journal).toBeUndefined();
      }),
    );
  });

  it('that fails, and is then cut short on its way back, is the old state or the new one', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(20), fc.nat(20), crashes, async (scene, at, acts, later) => {
        const { state, journal } = build(scene);
        await exchange(journal, fullDisk(state, at, acts)).catch(() => undefined);
        const said = await restartAfter(state, later);
        expect(present(scene, state)).toEqual(said === 'new' ? newState(scene) : oldState(scene));
      }),
      { numRuns: runs(500) },
    );
  });

  it('does not begin before an earlier one has come to its end', async () => {
    const scene = { files: [{ before: true, after: true }], isEmbedded: true };
    const { state, journal } = build(scene);
    await exchange(journal, memoryDisk(state));
    await expect(exchange(journal, memoryDisk(state))).rejects.toThrow('has not been brought to its end');
  });

  it('does not begin without what it is to put in place', async () => {
    const { state, journal } = build({ files: [{ before: true, after: true }], isEmbedded: true });
    state.files.delete('new/0');
    await expect(exchange(journal, memoryDisk(state))).rejects.toThrow('nothing to put in the place of f0');
    expect(state.files.get('f0')).toBe('old');
  });

  it('leaves no log of the new state beside the old one, wherever the way back was cut short', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.nat(12), crashes, async (before, acts, later) => {
        const { state, journal } = build({ files: [{ before: true, after: true }], isEmbedded: true });
        if (before) state.files.set('log', 'old');
        const log = { present: 'log', leftBehind: 'undone/log', ...(before ? { aside: 'old/log' } : {}) };
        const withLog = { ...journal, moves: [...journal.moves, log] };
        await exchange(withLog, memoryDisk(state));
        expect(state.files.get('log')).toBeUndefined();
        state.files.set('log', 'new');
        const disk = memoryDisk(state, acts);
        await takeBack(withLog, disk).catch(expectCrash);
        if (disk.used() === 0) return;
        await restartAfter(state, later);
        expect(['f0', 'log'].map((path) => state.files.get(path))).toEqual(['old', before ? 'old' : undefined]);
      }),
    );
  });
});
