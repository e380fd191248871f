import { describe, expect, it } from 'vitest';
import { changedTables, unnamed } from '../../../../pages/innerpage/sysbackup/restore/changedTables.ts';
import { canTryAgain, phaseOf } from '../../../../pages/innerpage/sysbackup/restore/dryRunPhase.ts';
import { waitUntilReady } from '../../../../pages/innerpage/sysbackup/restore/waitUntilReady.ts';
import { aDryRun, aRestorePlan } from '../../../support/backup/backupRecords.ts';

describe('a dry run', () => {
  const asked = { backup: 7, hasKey: false };
  it('goes on, is ready, or has failed', () => {
    const running = aDryRun({ state: 'running', rows: 12, plan: null });
    expect(phaseOf({ dryRun: running }, asked)).toEqual({ kind: 'running', rows: 12 });
    expect(phaseOf({ dryRun: aDryRun() }, asked)).toEqual({ kind: 'ready', plan: aRestorePlan() });
    const damaged = aDryRun({ state: 'failed', fault: 'damaged', plan: null });
    expect(phaseOf({ dryRun: damaged }, asked)).toEqual({ kind: 'failed', fault: 'damaged' });
    const faults = ['damaged', 'folder-missing', 'newer-schema', 'not-an-archive'] as const;
    expect(faults.map((fault) => canTryAgain({ kind: 'failed', fault }))).toEqual([true, true, false, false]);
  });

  it('asks for a key where none fits, and says so of one that was typed', () => {
    for (const fault of ['wrong-key', 'key-needed'] as const) {
      const dryRun = aDryRun({ state: 'failed', fault, plan: null });
      expect(phaseOf({ dryRun }, asked)).toEqual({ kind: 'key', isWrong: false });
      expect(phaseOf({ dryRun }, { ...asked, hasKey: true })).toEqual({ kind: 'key', isWrong: true });
    }
  });

  it('is gone when there is none, or one of another backup', () => {
    expect(phaseOf({ dryRun: null }, asked)).toEqual({ kind: 'replaced' });
    expect(phaseOf({ dryRun: aDryRun({ backup: 8 }) }, asked)).toEqual({ kind: 'replaced' });
  });
});

describe('what a restore changes', () => {
  it('is told of tables with other rows, or with another number of them', () => {
    expect(changedTables(aRestorePlan().tables).map(({ name }) => name)).toEqual(['device', 'position']);
    const same = { name: 'event', part: 'events', now: 3, inArchive: 3, compared: null } as const;
    expect(changedTables([same])).toEqual([]);
  });

  it('says how many names are left out', () => {
    expect(unnamed({ names: ['a', 'b'], count: 5 })).toBe(3);
    expect(unnamed({ names: ['a'], count: 1 })).toBe(0);
  });
});

describe('waiting for the gateway', () => {
  it('asks until it is ready', async () => {
    const answers = [false, false, true, true];
    const isReady = async () => answers.shift() ?? false;
    expect(await waitUntilReady(isReady, new AbortController().signal, 0)).toBe(true);
    expect(answers).toEqual([true]);
  });

  it('ends with the page', async () => {
    const abort = new AbortController();
    let asked = 0;
    const isReady = async () => {
      asked++;
      abort.abort();
      return false;
    };
    expect(await waitUntilReady(isReady, abort.signal, 0)).toBe(false);
    expect(asked).toBe(1);
  });
});
