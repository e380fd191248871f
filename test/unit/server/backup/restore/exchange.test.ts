import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchange, recover, takeBack } from '../../../../../server/backup/restore/exchange.ts';
import type { Move } from '../../../../../server/backup/restore/renames.ts';
import { Crash, type MemoryState, memoryDisk } from '../../../../support/backup/memoryDisk.ts';

const ID = '0123456789ab';

/** Each file is there before, after, or both. */
const files = fc
  .array(fc.record({ before: fc.boolean(), after: fc.boolean() }), { minLength: 1, maxLength: 5 })
  .map((all) => all.filter(({ before, after }) => before || after));
type Files = readonly { readonly before: boolean; readonly after: boolean }[];

function scene(all: Files): { readonly state: MemoryState; readonly journal: Parameters<typeof exchange>[0] } {
  const state: MemoryState = { files: new Map(), journal: undefined, database: '' };
  const moves = all.map(({ before, after }, at): Move => {
    if (before) state.files.set(`f${at}`, 'old');
    if (after) state.files.set(`new/${at}`, 'new');
    return {
      present: `f${at}`,
      ...(before ? { aside: `old/${at}` } : {}),
      ...(after ? { staged: `new/${at}` } : {}),
    };
  });
  return { state, journal: { id: ID, engine: 'postgres', moves } };
}

/** What a gateway would find. */
function present(all: Files, { files: found, database }: MemoryState): unknown {
  return [database, ...all.map((_, at) => found.get(`f${at}`))];
}

const oldState = (all: Files): unknown => ['', ...all.map(({ before }) => (before ? 'old' : undefined))];
const newState = (all: Files): unknown => [ID, ...all.map(({ after }) => (after ? 'new' : undefined))];

/** What follows a crash may crash too, before the one that doesn't. */
async function restartAfter(state: MemoryState, crashes: readonly number[]): Promise<string> {
  for (const acts of crashes) await recover(memoryDisk(state, acts)).catch(expectCrash);
  return recover(memoryDisk(state));
}

function expectCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

const crashes = fc.array(fc.nat(8), { maxLength: 3 });

describe('an exchange', () => {
  it('leaves the new state, and the old one after it is taken back', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const { state, journal } = scene(all);
        await exchange(journal, memoryDisk(state));
        expect(present(all, state)).toEqual(newState(all));
        await takeBack(journal, memoryDisk(state));
        expect(present(all, state)).toEqual(oldState(all));
        expect(await recover(memoryDisk(state))).toBe('none');
      }),
    );
  });

  it('that is cut short anywhere is the old state or the new one after the next start, which says which', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(files, fc.nat(20), crashes, async (all, acts, later) => {
        const { state, journal } = scene(all);
        await exchange(journal, memoryDisk(state, acts)).catch(expectCrash);
        const said = await restartAfter(state, later);
        seen.add(said);
        expect(present(all, state)).toEqual(said === 'new' ? newState(all) : oldState(all));
      }),
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual(['new', 'none', 'old']);
  });

  it('that is cut short while it is taken back is the old state', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(20), crashes, async (all, acts, later) => {
        const { state, journal } = scene(all);
        await exchange(journal, memoryDisk(state));
        const disk = memoryDisk(state, acts);
        await takeBack(journal, disk).catch(expectCrash);
        const said = await restartAfter(state, later);
        // Nothing of the way back was begun.
        if (disk.used() === 0) expect(said).toBe('new');
        expect(present(all, state)).toEqual(said === 'new' ? newState(all) : oldState(all));
        if (disk.used() > 0) expect(said).not.toBe('new');
      }),
      { numRuns: 500 },
    );
  });

  it('that fails is taken back at once', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(20), async (all, at) => {
        const { state, journal } = scene(all);
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
        expect(present(all, state)).toEqual(failed ? oldState(all) : newState(all));
        if (failed) expect(state.journal).toBeUndefined();
      }),
    );
  });

  it('does not begin before an earlier one has come to its end', async () => {
    const { state, journal } = scene([{ before: true, after: true }]);
    await exchange(journal, memoryDisk(state));
    await expect(exchange(journal, memoryDisk(state))).rejects.toThrow('has not been brought to its end');
  });
});
