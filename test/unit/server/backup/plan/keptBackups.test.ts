import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backupsToDelete, type KeepRules, type PlannedBackup } from '../../../../../server/backup/plan/keptBackups.ts';

const DAY_MS = 86_400_000;
/** A Sunday. */
const NOW_MS = Date.UTC(2026, 10, 29, 2);
const RULES: KeepRules = { days: 7, weeks: 4, months: 12 };

/** One a night, the newest first: the id says how many days ago. */
const nights = (count: number): PlannedBackup[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    createdAtMs: NOW_MS - id * DAY_MS,
    isManual: false,
    isTested: false,
  }));
const keptOf = (backups: readonly PlannedBackup[], rules = RULES, zone = 'UTC') => {
  const gone = new Set(backupsToDelete(backups, rules, zone));
  return backups.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
};

describe('backups that are kept', () => {
  it('are the newest of each day, week and month, as many as asked for', () => {
    // Weeks end with the Sundays 0, 7, 14 and 21 days ago; the months before with 29, 60, 91, ...
    expect(keptOf(nights(100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 29, 60, 90]);
  });

  it('are the last ones of a server that was off, however long ago', () => {
    const old = nights(3).map((backup) => ({ ...backup, createdAtMs: backup.createdAtMs - 400 * DAY_MS }));
    expect(keptOf(old)).toEqual([0, 1, 2]);
  });

  it('are several of a day only where each is the newest of something', () => {
    const twice = [0, 1].map((id) => ({ id, createdAtMs: NOW_MS - id * 3_600_000, isManual: false, isTested: false }));
    expect(keptOf(twice)).toEqual([0]);
  });

  it('are of each day the newest that passed its test, and the newest of all', () => {
    const hour = (id: number, isTested: boolean) => ({
      ...{ id, isTested, isManual: false },
      createdAtMs: NOW_MS - DAY_MS - id * 600_000,
    });
    const yesterday = [hour(1, false), hour(2, true), hour(3, true)];
    const rules = { days: 2, weeks: 0, months: 0 };
    expect(keptOf(yesterday, rules)).toEqual([1, 2]);
    const today = { id: 0, createdAtMs: NOW_MS, isManual: false, isTested: true };
    expect(keptOf([today, ...yesterday], rules)).toEqual([0, 2]);
  });

  it('have days in the zone of the plan', () => {
    // Both are of one day in UTC, and of two in Taipei.
    const both = [Date.UTC(2026, 10, 28, 20), Date.UTC(2026, 10, 28, 10)].map((createdAtMs, id) => ({
      id,
      createdAtMs,
      isManual: false,
      isTested: false,
    }));
    expect(keptOf(both)).toEqual([0]);
    expect(keptOf(both, RULES, 'Asia/Taipei')).toEqual([0, 1]);
  });

  it('are all that were made by hand, and the newest that passed its test', () => {
    const backups = nights(60).map((backup) => ({
      ...backup,
      isManual: backup.id === 33,
      isTested: backup.id === 40 || backup.id === 50,
    }));
    const kept = keptOf(backups, { days: 1, weeks: 1, months: 1 });
    expect(kept).toEqual([0, 33, 40]);
  });

  it('are never fewer than the newest and the newest tested', () => {
    const backup = fc.record({
      createdAtMs: fc.integer({ min: 0, max: NOW_MS }),
      isManual: fc.boolean(),
      isTested: fc.boolean(),
    });
    const count = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(fc.array(backup, { maxLength: 60 }), count, count, count, (made, days, weeks, months) => {
        const backups = made.map((each, id) => ({ ...each, id }));
        const kept = new Set(keptOf(backups, { days, weeks, months }));
        const planned = backups.filter(({ isManual }) => !isManual);
        const newest = planned.toSorted((one, other) => other.createdAtMs - one.createdAtMs)[0];
        if (newest !== undefined) {
          expect(planned.some(({ id, createdAtMs }) => kept.has(id) && createdAtMs === newest.createdAtMs)).toBe(true);
        }
        const tested = backups.filter(({ isTested }) => isTested).map(({ createdAtMs }) => createdAtMs);
        if (tested.length > 0) {
          const best = Math.max(...tested);
          expect(backups.some(({ id, createdAtMs }) => kept.has(id) && createdAtMs === best)).toBe(true);
        }
        for (const { id, isManual } of backups) if (isManual) expect(kept.has(id)).toBe(true);
        expect(kept.size).toBeLessThanOrEqual(
          backups.filter(({ isManual }) => isManual).length + days + weeks + months + 2,
        );
      }),
    );
  });
});
