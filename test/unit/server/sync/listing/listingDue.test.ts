import { describe, expect, it } from 'vitest';
import {
  daysOf,
  type ListingFacts,
  listingDelayMs,
  listingDue,
} from '../../../../../server/sync/listing/listingDue.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW_MS = 100 * DAY_MS;

const due = (change: Partial<ListingFacts> = {}) =>
  listingDue({
    nowMs: NOW_MS,
    listedAtMs: 0,
    wholeAtMs: 0,
    onlineSinceMs: NOW_MS - HOUR_MS,
    daysBackOfRules: [],
    ...change,
  });
const daysBack = (change: Partial<ListingFacts>): number | undefined => {
  const found = due(change);
  return found.kind === 'none' ? undefined : (NOW_MS - found.span.fromMs) / DAY_MS;
};

describe('what a device is asked for of its recordings (S-2.4.8)', () => {
  it.each([
    ['a week where no rule is for it', [], 7],
    ['a week where its rules go back less', [1, 3], 7],
    ['as many days as one of its rules goes back', [2, 30, 14], 30],
  ] as const)('is %s', (_what, daysBackOfRules, days) => {
    expect(daysBack({ daysBackOfRules })).toBe(days);
  });

  it('is all of it once a day, also where it stays online', () => {
    const onlineSinceMs = NOW_MS - 3 * DAY_MS;
    expect(due({ onlineSinceMs, listedAtMs: NOW_MS - DAY_MS + 1 }).kind).toBe('none');
    expect(due({ onlineSinceMs, listedAtMs: NOW_MS - DAY_MS }).kind).toBe('whole');
    expect(due({ listedAtMs: NOW_MS - 2 * HOUR_MS, wholeAtMs: NOW_MS - DAY_MS }).kind).toBe('whole');
  });

  it('is what is new after each absence, with the day before', () => {
    const listedAtMs = NOW_MS - 2 * HOUR_MS;
    expect(due({ listedAtMs })).toEqual({
      kind: 'recent',
      span: { fromMs: listedAtMs - DAY_MS, toMs: NOW_MS + DAY_MS },
    });
    expect(due({ listedAtMs, onlineSinceMs: listedAtMs }).kind).toBe('none');
  });

  it('is all of it after the clock was set back', () => {
    expect(due({ listedAtMs: NOW_MS + 1 }).kind).toBe('whole');
  });

  it('is asked for by whole days', () => {
    expect(daysOf({ fromMs: DAY_MS + 1, toMs: 3 * DAY_MS })).toEqual([
      { fromMs: DAY_MS, toMs: 2 * DAY_MS },
      { fromMs: 2 * DAY_MS, toMs: 3 * DAY_MS },
    ]);
  });
});

describe('how long after its sign-in a device is asked (S-2.4.8)', () => {
  it.each([
    ['of a few devices, within seconds', 6, 5_000, 8_000],
    ['of a hundred, within a minute', 100, 5_000, 55_000],
    ['of thousands that a restart signs in at once, over five minutes', 10_000, 5_000, 305_000],
  ])('%s', (_which, online, leastMs, mostMs) => {
    expect(listingDelayMs(online, 0)).toBe(leastMs);
    expect(listingDelayMs(online, 1)).toBe(mostMs);
  });
});
