import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Attempted,
  FIRST_BACK_OFF_MS,
  GIVEN_UP_AFTER_MS,
  JITTER,
  MAX_BACK_OFF_MS,
  MAX_RETRY_AFTER_MS,
  nextAttempt,
  UNKNOWN_BACK_OFF_MS,
} from '../../../../../server/notify/delivery/nextAttempt.ts';

const FIRST: Attempted = { attempts: 1, firstDueAtMs: 1_000, nowMs: 1_200, outcome: 'retry', random: 0.5 };

const dueAfter = (change: Partial<Attempted>): number => {
  const after = nextAttempt({ ...FIRST, ...change });
  if (after.state !== 'waiting') throw new Error(after.state);
  return after.dueAtMs - FIRST.nowMs;
};

describe('nextAttempt', () => {
  it('waits 5 s after the first failure, twice as long after each further one, and never longer than an hour', () => {
    const waits = [1, 2, 3, 4, 10, 11, 100].map((attempts) => dueAfter({ attempts }));
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 2_560_000, 3_600_000, 3_600_000]);
  });

  it('spreads what failed together', () => {
    expect(dueAfter({ random: 0 })).toBe(4_000);
    expect(dueAfter({ random: 1 })).toBe(6_000);
  });

  it('is done with a message that was sent, whenever that was', () => {
    expect(nextAttempt({ ...FIRST, outcome: 'sent', nowMs: 10 * GIVEN_UP_AFTER_MS })).toEqual({ state: 'sent' });
  });

  it('gives up at once what the other side will never take', () => {
    expect(nextAttempt({ ...FIRST, outcome: 'refused' })).toEqual({ state: 'failed' });
  });

  it('waits for as long as the other side asks, up to an hour, and no shorter than it would anyway', () => {
    expect(dueAfter({ retryAfterMs: 120_000 })).toBe(120_000);
    expect(dueAfter({ retryAfterMs: 1_000 })).toBe(5_000);
    expect(dueAfter({ retryAfterMs: 99 * GIVEN_UP_AFTER_MS })).toBe(MAX_RETRY_AFTER_MS);
    expect(dueAfter({ retryAfterMs: -1 })).toBe(5_000);
  });

  it('sends what may have arrived again after hours, each time four times as many, and not beyond the day', () => {
    const hours = [1, 2, 3, 4].map((attempts) => dueAfter({ attempts, outcome: 'unknown' }) / UNKNOWN_BACK_OFF_MS);
    expect(hours.slice(0, 3)).toEqual([1, 4, 16]);
    expect(hours[3]).toBeLessThanOrEqual(24);
  });

  it('tries for the last time when the day is over, and then gives up', () => {
    const endMs = FIRST.firstDueAtMs + GIVEN_UP_AFTER_MS;
    const last = { ...FIRST, attempts: 30 };
    expect(nextAttempt({ ...last, nowMs: endMs - 1_000 })).toEqual({ state: 'waiting', dueAtMs: endMs });
    expect(nextAttempt({ ...last, nowMs: endMs })).toEqual({ state: 'failed' });
  });

  it('always ends, waits within its bounds, and never beyond the day', () => {
    const attempted = fc.record({
      firstDueAtMs: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      sinceMs: fc.integer({ min: 0, max: 2 * GIVEN_UP_AFTER_MS }),
      attempts: fc.integer({ min: 1, max: 5_000 }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(attempted, ({ firstDueAtMs, sinceMs, attempts, random }) => {
        const nowMs = firstDueAtMs + sinceMs;
        const after = nextAttempt({ attempts, firstDueAtMs, nowMs, random, outcome: 'retry' });
        if (after.state !== 'waiting') {
          expect(sinceMs).toBeGreaterThanOrEqual(GIVEN_UP_AFTER_MS);
          return;
        }
        const endMs = firstDueAtMs + GIVEN_UP_AFTER_MS;
        const shortest = nowMs + FIRST_BACK_OFF_MS * (1 - JITTER);
        expect(after.dueAtMs).toBeGreaterThanOrEqual(Math.min(shortest, endMs));
        expect(after.dueAtMs).toBeGreaterThan(nowMs);
        expect(after.dueAtMs).toBeLessThanOrEqual(Math.min(nowMs + MAX_BACK_OFF_MS * (1 + JITTER), endMs));
      }),
    );
  });
});
