import { describe, expect, it } from 'vitest';
import { backupFacts } from '../../../../../server/backup/plan/backupFacts.ts';
import { FIRST_PLAN, type KeptPlan } from '../../../../../server/backup/plan/planText.ts';
import { aStoredBackup } from '../../../../support/backup/aStoredBackup.ts';

const DAY_MS = 86_400_000;
/** The daily plan of two o'clock has just run. */
const NOW_MS = Date.UTC(2026, 10, 27, 2);
const PLAN: KeptPlan = { ...FIRST_PLAN, values: { ...FIRST_PLAN.values, enabled: true } };

/** `daysAgo`: the newest first. */
function backupOf(daysAgo: number, changes: Parameters<typeof aStoredBackup>[0] = {}) {
  return aStoredBackup({ id: 100 - daysAgo, createdAtMs: NOW_MS - daysAgo * DAY_MS, ...changes });
}
const factsOf = (backups: Parameters<typeof backupFacts>[0], plan = PLAN) => {
  const { expectedAtMs, lastEnded, newest } = backupFacts(backups, plan, NOW_MS);
  return [expectedAtMs === null ? null : (expectedAtMs - NOW_MS) / DAY_MS, lastEnded, newest?.id ?? null];
};

describe('what the list says of backups', () => {
  it('is when the one after the newest is expected, and how the last came out', () => {
    expect(factsOf([backupOf(0), backupOf(1)])).toEqual([1, 'done', 100]);
    expect(factsOf([backupOf(3)])).toEqual([-2, 'done', 97]);
    expect(factsOf([backupOf(0, { state: 'failed' }), backupOf(1)])).toEqual([0, 'failed', 99]);
  });

  it('is nothing of those that run or were canceled, and nothing of uploaded ones', () => {
    const others = [
      backupOf(0, { state: 'running' }),
      backupOf(1, { state: 'canceled' }),
      backupOf(2, { isUploaded: true }),
    ];
    expect(factsOf([...others, backupOf(3)])).toEqual([-2, 'done', 97]);
    expect(factsOf(others, { ...PLAN, changedAtMs: NOW_MS - 1 })).toEqual([0, null, null]);
  });

  it('is that none is expected without a schedule, and none for a time before the plan was changed', () => {
    expect(factsOf([backupOf(9)], FIRST_PLAN)).toEqual([null, 'done', 91]);
    expect(factsOf([backupOf(9)], { ...PLAN, changedAtMs: NOW_MS - 2 * DAY_MS })).toEqual([-1, 'done', 91]);
  });

  it('isn’t held up by a backup or a plan of a clock that was ahead', () => {
    const ahead = backupOf(-400, { id: 7 });
    expect(factsOf([ahead, backupOf(3)])).toEqual([-2, 'done', 97]);
    expect(factsOf([{ ...ahead, state: 'failed' }, backupOf(3)])).toEqual([-2, 'done', 97]);
    expect(factsOf([backupOf(3)], { ...PLAN, changedAtMs: NOW_MS + 9 * DAY_MS })).toEqual([-2, 'done', 97]);
    const [expected, ...others] = factsOf([ahead]);
    expect(expected).toBeLessThan(-1);
    expect(others).toEqual(['done', 7]);
  });

  it('takes a clock that was set right for the same one', () => {
    expect(factsOf([backupOf(0, { createdAtMs: NOW_MS + 60_000 })])).toEqual([1, 'done', 100]);
  });
});
