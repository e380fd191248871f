import { beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveFailure } from '../../../../../server/backup/archive/faults.ts';
import { DryRuns } from '../../../../../server/backup/restore/dryRuns.ts';
import type { RestorePlan } from '../../../../../server/backup/restore/planRestore.ts';
import type { BackupRunOptions } from '../../../../../server/backup/thread/backupThread.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { aRestorePlan } from '../../../../support/backup/aRestorePlan.ts';

const SOURCE = { backup: { id: 1, file: 'a.fgb', createdAtMs: wallMs(1) }, key: { kind: 'none' } } as const;
const OTHER = { ...SOURCE, backup: { ...SOURCE.backup, id: 2 } } as const;

interface Asked {
  readonly options: BackupRunOptions;
  readonly settle: (outcome: RestorePlan | ArchiveFailure | Error) => void;
}

let asked: Asked[];
let faults: string[];
let changes: number;
let dryRuns: DryRuns;
beforeEach(() => {
  [asked, faults, changes] = [[], [], 0];
  let ids = 0;
  dryRuns = new DryRuns({
    plan: (_, options) =>
      new Promise((resolve, reject) => {
        const settle: Asked['settle'] = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        asked.push({ options, settle });
      }),
    createId: () => `plan ${++ids}`,
    onChanged: () => void changes++,
    onFault: (error) => void faults.push(error.message),
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a dry run', () => {
  it('tells how far it is, and is confirmed by its id until another one begins', async () => {
    expect(dryRuns.begin(SOURCE)).toBe(true);
    asked[0]?.options.onProgress({ rows: 40, bytes: 4_000 });
    expect(dryRuns.current?.state).toEqual({ kind: 'running', rows: 40 });
    expect([dryRuns.begin(OTHER), dryRuns.confirmed('plan 1')]).toEqual([false, undefined]);
    asked[0]?.settle(aRestorePlan());
    await settled();
    expect(dryRuns.confirmed('plan 1')).toMatchObject({ backup: SOURCE.backup, key: SOURCE.key });
    expect(changes).toBe(3);
    expect(dryRuns.begin(OTHER)).toBe(true);
    expect(dryRuns.confirmed('plan 1')).toBeUndefined();
    asked[1]?.settle({ ok: false, fault: 'damaged', detail: '' });
    await settled();
    expect(dryRuns.current).toMatchObject({ source: OTHER, state: { kind: 'failed', fault: 'damaged' } });
  });

  it('is forgotten when it is dropped, once its thread has ended', async () => {
    dryRuns.begin(SOURCE);
    const dropped = dryRuns.drop();
    expect(asked[0]?.options.signal.aborted).toBe(true);
    asked[0]?.settle({ ok: false, fault: 'canceled', detail: '' });
    await dropped;
    expect(dryRuns.current).toBeUndefined();
  });

  it('that fails by our own fault says so', async () => {
    dryRuns.begin(SOURCE);
    asked[0]?.settle(new Error('the disk'));
    await settled();
    expect(dryRuns.current?.state).toEqual({ kind: 'failed', fault: 'internal' });
    expect(faults).toEqual(['a dry run failed']);
  });

  it('none begins once it is closed', async () => {
    dryRuns.begin(SOURCE);
    const closed = dryRuns.close();
    asked[0]?.settle(aRestorePlan());
    await closed;
    expect([dryRuns.current, dryRuns.begin(SOURCE)]).toEqual([undefined, false]);
  });
});
