import { describe, expect, it } from 'vitest';
import { BACKUP_LATE_MS, type BackupFacts, judgeBackup } from '../../../../../server/health/rules/backupRule.ts';

const AT = 1_795_000_000_000;
const TEST = { state: 'passed', atMs: AT + 2 } as const;
const NEWEST = { createdAtMs: AT, endedAtMs: AT + 1, test: TEST, copyState: 'none' } as const;
const FACTS: BackupFacts = { expectedAtMs: AT, lastEnded: 'done', newest: NEWEST, isOnDataDisk: false };
const judged = (facts: Partial<BackupFacts>, nowMs = AT) => {
  const { state, advice } = judgeBackup({ ...FACTS, ...facts }, nowMs);
  return [state, advice];
};

describe('judgeBackup', () => {
  it('is fine with one that was made in time and tested', () => {
    expect(judged({})).toEqual(['ok', '']);
    expect(judged({ expectedAtMs: null })).toEqual(['ok', '']);
  });

  it('warns where nobody has planned or made one, and waits for the first that is planned', () => {
    expect(judged({ expectedAtMs: null, lastEnded: null, newest: null })).toEqual(['warning', 'run-backup']);
    expect(judged({ lastEnded: null, newest: null })).toEqual(['ok', '']);
  });

  it('has a problem when one is late by more than a day', () => {
    expect(judged({}, AT + BACKUP_LATE_MS)).toEqual(['ok', '']);
    expect(judged({}, AT + BACKUP_LATE_MS + 1)).toEqual(['problem', 'run-backup']);
    expect(judged({ lastEnded: null, newest: null }, AT + BACKUP_LATE_MS + 1)).toEqual(['problem', 'run-backup']);
  });

  it('has a problem when the last one failed, also when an earlier one is fine', () => {
    expect(judged({ lastEnded: 'failed' })).toEqual(['problem', 'run-backup']);
  });

  it('has a problem when the test failed, and when there was none for a day', () => {
    expect(judged({ newest: { ...NEWEST, test: { state: 'failed', atMs: AT } } })).toEqual(['problem', 'test-backup']);
    const untested = { newest: { ...NEWEST, test: { state: 'none', atMs: 0 } }, expectedAtMs: null } as const;
    expect(judged(untested)).toEqual(['ok', '']);
    expect(judged(untested, NEWEST.endedAtMs + BACKUP_LATE_MS + 1)).toEqual(['problem', 'test-backup']);
  });

  it('has a problem when the copy of the newest failed, or waits for more than a day', () => {
    const withCopy = (copyState: 'done' | 'waiting' | 'failed') => ({
      newest: { ...NEWEST, copyState },
      expectedAtMs: null,
    });
    expect(judged(withCopy('done'), AT + 9 * BACKUP_LATE_MS)).toEqual(['ok', '']);
    expect(judged(withCopy('failed'))).toEqual(['problem', 'check-copies']);
    expect(judged(withCopy('waiting'), NEWEST.endedAtMs + BACKUP_LATE_MS)).toEqual(['ok', '']);
    expect(judged(withCopy('waiting'), NEWEST.endedAtMs + BACKUP_LATE_MS + 1)).toEqual(['problem', 'check-copies']);
  });

  it('warns where the newest lies on the disk of the data and nowhere else', () => {
    expect(judged({ isOnDataDisk: true })).toEqual(['warning', 'move-backups']);
    expect(judged({ isOnDataDisk: true, newest: { ...NEWEST, copyState: 'done' } })).toEqual(['ok', '']);
    expect(judged({ isOnDataDisk: true, lastEnded: 'failed' })).toEqual(['problem', 'run-backup']);
    expect(judged({ isOnDataDisk: true, lastEnded: null, newest: null })).toEqual(['ok', '']);
  });

  it('gives the times of both', () => {
    expect(judgeBackup(FACTS, AT).values).toMatchObject([
      { name: 'last-at', value: AT },
      { name: 'tested-at', value: AT + 2 },
    ]);
  });
});
