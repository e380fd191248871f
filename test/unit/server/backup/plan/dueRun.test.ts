import { describe, expect, it } from 'vitest';
import { dueRun } from '../../../../../server/backup/plan/dueRun.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WHEN = { every: 'daily', weekday: 1, monthDay: 1, minuteOfDay: 120 } as const;
/** A run's time. */
const TWO = Date.UTC(2026, 10, 27, 2);
const due = (dueAtMs: number, nowMs: number) => dueRun(WHEN, 'UTC', { dueAtMs, nowMs });

describe('dueRun', () => {
  it('waits for the next time where none is kept', () => {
    expect(due(0, TWO - 1)).toEqual({ isDue: false, dueAtMs: TWO });
  });

  it('runs from its time on, and then a day later', () => {
    expect(due(TWO, TWO - 1)).toEqual({ isDue: false, dueAtMs: TWO });
    expect(due(TWO, TWO)).toEqual({ isDue: true, dueAtMs: TWO + DAY_MS });
  });

  it('makes up for runs that were missed once', () => {
    expect(due(TWO, TWO + 5 * DAY_MS + HOUR_MS)).toEqual({ isDue: true, dueAtMs: TWO + 6 * DAY_MS });
  });

  it('does not run again when the clock is set back', () => {
    const after = due(TWO, TWO).dueAtMs;
    expect(due(after, TWO - HOUR_MS)).toEqual({ isDue: false, dueAtMs: TWO + DAY_MS });
    expect(due(after, TWO)).toMatchObject({ isDue: false });
  });

  it('is not held up by a clock that was years ahead', () => {
    const ahead = due(TWO, TWO + 5_000 * DAY_MS).dueAtMs;
    expect(due(ahead, TWO + HOUR_MS)).toEqual({ isDue: false, dueAtMs: TWO + 2 * DAY_MS });
  });

  it('goes by the zone and the day of the week', () => {
    // 2026-11-30 is a Monday, and two o'clock in Taipei is eighteen o'clock of the day before.
    const weekly = dueRun({ ...WHEN, every: 'weekly' }, 'Asia/Taipei', { dueAtMs: 0, nowMs: TWO });
    expect(weekly.dueAtMs).toBe(Date.UTC(2026, 10, 29, 18));
  });
});
