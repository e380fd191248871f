import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastOf } from '../../../../server/netflow/rules/forecast.ts';
import { streamAnswer, transferAnswer } from '../../../../server/netflow/rules/planAnswers.ts';
import { levelOf, type Told, toTell, withOverhead } from '../../../../server/netflow/rules/planLevels.ts';
import { periodAt } from '../../../../server/netflow/rules/planPeriod.ts';
import { runs } from '../../../support/runs.ts';

const iso = (atMs: number): string => new Date(atMs).toISOString();

describe('the period of a data plan (S-2.4.9)', () => {
  it.each([
    ['begins on the reset day', 15, 'UTC', '2026-11-23T10:00:00Z', '2026-11-15', '2026-12-15'],
    ['began last month before it', 25, 'UTC', '2026-11-23T10:00:00Z', '2026-10-25', '2026-11-25'],
    ['ends on the last day of a shorter month', 31, 'UTC', '2026-02-27T10:00:00Z', '2026-01-31', '2026-02-28'],
    ['begins with the last day of a shorter month', 31, 'UTC', '2026-02-28T00:00:00Z', '2026-02-28', '2026-03-31'],
    ['knows leap years', 30, 'UTC', '2028-02-29T12:00:00Z', '2028-02-29', '2028-03-30'],
    ['crosses the year', 5, 'UTC', '2026-01-02T00:00:00Z', '2025-12-05', '2026-01-05'],
  ])('%s', (_, resetDay, timeZone, at, from, to) => {
    const { fromMs, toMs } = periodAt({ resetDay, timeZone }, Date.parse(at));
    expect([iso(fromMs), iso(toMs)]).toEqual([`${from}T00:00:00.000Z`, `${to}T00:00:00.000Z`]);
  });

  it('begins at midnight of its own zone, in summer and in winter', () => {
    const { fromMs, toMs } = periodAt({ resetDay: 10, timeZone: 'Europe/Berlin' }, Date.parse('2026-03-20T00:00:00Z'));
    expect([iso(fromMs), iso(toMs)]).toEqual(['2026-03-09T23:00:00.000Z', '2026-04-09T22:00:00.000Z']);
  });

  it('holds the moment that it is asked for, and the next one follows at once', () => {
    const zones = fc.constantFrom('UTC', 'Asia/Taipei', 'Asia/Tokyo', 'America/New_York', 'Australia/Lord_Howe');
    const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
    const rule = (resetDay: number, timeZone: string, atMs: number): void => {
      const { fromMs, toMs } = periodAt({ resetDay, timeZone }, atMs);
      expect(fromMs <= atMs && atMs < toMs).toBe(true);
      expect(periodAt({ resetDay, timeZone }, toMs).fromMs).toBe(toMs);
    };
    fc.assert(fc.property(fc.integer({ min: 1, max: 31 }), zones, moments, rule), { numRuns: runs(300) });
  });
});

describe('the forecast of a data plan (S-2.4.9)', () => {
  const even = (from: number, to: number, bytes: number) =>
    Array.from({ length: to - from }, (_, at) => ({ day: from + at, bytes }));

  it('is not known before a day is over', () => {
    const today = { day: 100, bytes: 5 };
    expect(forecastOf({ firstDay: 100, lastDay: 129, today: 100, usedBytes: 5, days: [today] })).toBeNull();
  });

  it('takes nothing from the first day, of which a part may have been counted', () => {
    const late = { firstDay: 90, lastDay: 129, today: 100, usedBytes: 1, days: [{ day: 99, bytes: 1 }] };
    expect(forecastOf(late)).toBeNull();
    const days = [{ day: 99, bytes: 1 }, ...even(100, 102, 10)];
    expect(forecastOf({ ...late, today: 102, usedBytes: 21, days })).toBe(21 + 28 * 10);
  });

  it('takes all days where those before them were forgotten', () => {
    const days = [{ day: 100, bytes: 45 }, ...even(101, 135, 10)];
    const input = { firstDay: 135, lastDay: 135, today: 135, usedBytes: 0, days };
    // There are five days of the weekday of day 100, which is today's too: 45 and four times 10.
    expect(forecastOf(input)).toBe(17);
  });

  it('goes on as before', () => {
    const days = even(100, 110, 10);
    expect(forecastOf({ firstDay: 100, lastDay: 129, today: 110, usedBytes: 100, days })).toBe(300);
  });

  it('weighs weekdays: a fleet that stands on Sundays is not expected to drive', () => {
    const isSunday = (day: number): boolean => day % 7 === 3;
    const days = even(100, 121, 0).map(({ day }) => ({ day, bytes: isSunday(day) ? 0 : 10 }));
    const forecast = forecastOf({ firstDay: 100, lastDay: 127, today: 121, usedBytes: 180, days });
    expect(forecast).toBe(240);
  });

  it('takes the days before a period that has just begun', () => {
    const days = [...even(86, 100, 20), { day: 100, bytes: 0 }];
    expect(forecastOf({ firstDay: 100, lastDay: 129, today: 100, usedBytes: 0, days })).toBe(600);
  });

  it('is never less than what is used, and grows with it', () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 2, maxLength: 35 });
    const rule = (each: number[], more: number): void => {
      const today = 100 + each.length;
      const days = each.map((use, at) => ({ day: 100 + at, bytes: use }));
      const usedBytes = each.reduce((sum, use) => sum + use, 0);
      const input = { firstDay: 100, lastDay: 140, today, usedBytes, days };
      const forecast = forecastOf(input) ?? -1;
      expect(forecast).toBeGreaterThanOrEqual(usedBytes);
      expect(forecastOf({ ...input, usedBytes: usedBytes + more })).toBe(forecast + more);
    };
    fc.assert(fc.property(bytes, fc.integer({ min: 0, max: 1e9 }), rule));
  });

  it('rounds what is to come alone: half a byte goes the same way whatever is used', () => {
    const each = [916640033, 89703273, 59114697, 1712827, 755018167, 253077968, 316285332, 809493400, 798240215];
    const days = [{ day: 99, bytes: 0 }, ...each.map((bytes, at) => ({ day: 100 + at, bytes }))];
    const usedBytes = each.reduce((sum, use) => sum + use, 0);
    const input = { firstDay: 100, lastDay: 140, today: 109, usedBytes, days };
    expect((forecastOf({ ...input, usedBytes: usedBytes + 486620536 }) ?? 0) - (forecastOf(input) ?? 0)).toBe(
      486620536,
    );
  });
});

describe('what is told of a data plan (S-2.4.9)', () => {
  const NEW: Told = { fromMs: 0, percent: 0, forecast: false };

  it.each([
    [49, 0],
    [50, 50],
    [79, 50],
    [80, 80],
    [95, 95],
    [100, 100],
    [900, 100],
  ])('%i of 100 used up reaches the level %i', (used, level) => expect(levelOf(used, 100)).toBe(level));

  it('is each level once a period, the highest alone where several are passed', () => {
    const use = { fromMs: 1, forecastBytes: null, allowedBytes: 100 };
    const first = toTell(NEW, { ...use, usedBytes: 85 });
    expect(first).toMatchObject({ percent: 80, forecast: false });
    expect(toTell(first.told, { ...use, usedBytes: 94 }).percent).toBe(0);
    expect(toTell(first.told, { ...use, usedBytes: 95 }).percent).toBe(95);
    expect(toTell(first.told, { ...use, fromMs: 2, usedBytes: 51 }).percent).toBe(50);
  });

  it('is a forecast that exceeds it, once, and not once it is used up', () => {
    const use = { fromMs: 1, usedBytes: 10, forecastBytes: 101, allowedBytes: 100 };
    const first = toTell(NEW, use);
    expect(first).toMatchObject({ percent: 0, forecast: true });
    expect(toTell(first.told, use).forecast).toBe(false);
    expect(toTell(NEW, { ...use, usedBytes: 100 }).forecast).toBe(false);
    expect(toTell(NEW, { ...use, forecastBytes: 100 }).forecast).toBe(false);
  });

  it('includes what the network adds', () => expect(withOverhead(1_000_000, 4)).toBe(1_040_000));
});

describe('what a data plan that is used up lets through (S-2.4.9)', () => {
  const ALL = { viewer: true, recorder: true, playback: true, event: true };
  const purposes = ['viewer', 'recorder', 'playback', 'event'] as const;
  it.each([
    ['none', 'main', ALL],
    ['no-transfers', 'main', ALL],
    ['sub-stream', 'sub', ALL],
    ['sub-stream', 'main', { ...ALL, viewer: false, recorder: false, playback: false }],
    ['events-only', 'sub', { viewer: false, recorder: false, playback: false, event: true }],
    ['no-video', 'sub', { viewer: false, recorder: false, playback: false, event: false }],
  ] as const)('%s: the %s stream', (action, quality, expected) => {
    const answers = purposes.map((purpose) => [purpose, streamAnswer(action, quality, purpose).ok]);
    expect(Object.fromEntries(answers)).toEqual(expected);
  });

  it('is no transfer that does not fit', () => {
    expect(transferAnswer({ action: 'none', leftBytes: 10 }, 11).ok).toBe(false);
    expect(transferAnswer({ action: 'none', leftBytes: 10 }, 10).ok).toBe(true);
    expect(transferAnswer({ action: 'none', leftBytes: undefined }, 1e12).ok).toBe(true);
    expect(transferAnswer({ action: 'no-transfers', leftBytes: 0 }, 0).ok).toBe(false);
    expect(transferAnswer({ action: 'no-video', leftBytes: 0 }, 0).ok).toBe(false);
  });
});
