import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dayNumber, dayStarts, isTimeZone, wallClockMs } from '../../../../shared/protocol/timeZones.ts';

const HOUR_MS = 3_600_000;

describe('time zones', () => {
  it.each(['', 'UTC', 'Asia/Taipei', 'America/St_Johns'])('know %j', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each(['Mars/Base', '+08:00', 'x'.repeat(300)])('do not know %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it('show the wall clock as if it were UTC, also before 1970', () => {
    const atMs = Date.UTC(2026, 10, 22, 18, 30, 5, 250);
    expect(wallClockMs(atMs, 'Asia/Taipei')).toBe(atMs + 8 * HOUR_MS);
    expect(wallClockMs(atMs, 'UTC')).toBe(atMs);
    expect(wallClockMs(-1, 'UTC')).toBe(-1);
  });

  it('have days of their own', () => {
    const atMs = Date.UTC(2026, 11, 31, 18, 30);
    expect(dayNumber(atMs, 'UTC')).toBe(20_261_231);
    expect(dayNumber(atMs, 'Asia/Taipei')).toBe(20_270_101);
  });

  it('are made ready once for the clock and the day alike', () => {
    const Original = Intl.DateTimeFormat;
    const made = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function create(...options) {
      return new Original(...options);
    });
    onTestFinished(() => made.mockRestore());
    for (let at = 0; at < 10; at++) {
      wallClockMs(at, 'Pacific/Chatham');
      dayNumber(at, 'Pacific/Chatham');
    }
    expect(made).toHaveBeenCalledOnce();
  });
});

describe('the days of a period', () => {
  it('begin at midnight of the zone, the day that the period begins in first', () => {
    const fromMs = Date.UTC(2026, 10, 22, 12);
    expect(dayStarts(fromMs, fromMs + 1, 'Asia/Taipei')).toEqual([
      Date.UTC(2026, 10, 21, 16),
      Date.UTC(2026, 10, 22, 16),
    ]);
    const midnight = Date.UTC(2026, 10, 22);
    expect(dayStarts(midnight, midnight + 24 * HOUR_MS, 'UTC')).toEqual([midnight, midnight + 24 * HOUR_MS]);
  });

  it('are 23 and 25 hours long where the clocks change', () => {
    const lengths = (fromMs: number) => {
      const [first = 0, second = 0] = dayStarts(fromMs, fromMs + 1, 'Europe/Berlin');
      return (second - first) / HOUR_MS;
    };
    expect(lengths(Date.UTC(2026, 2, 29, 12))).toBe(23);
    expect(lengths(Date.UTC(2026, 9, 25, 12))).toBe(25);
  });

  it('begin after midnight where that is left out', () => {
    // The clocks of Beirut went from midnight to one on 2022-03-27.
    expect(dayStarts(Date.UTC(2022, 2, 27, 6), Date.UTC(2022, 2, 27, 7), 'Asia/Beirut')).toEqual([
      Date.UTC(2022, 2, 26, 22),
      Date.UTC(2022, 2, 27, 21),
    ]);
  });
});

describe('the clock on the wall', () => {
  it.each([
    // Newfoundland put its clocks back at one minute past midnight.
    ['America/St_Johns', Date.UTC(2005, 9, 30, 2, 30), 'within a quarter of an hour'],
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15), 'by half an hour'],
    ['Africa/Monrovia', Date.UTC(1972, 0, 7, 0, 44), 'from an odd number of seconds'],
    ['Asia/Kathmandu', Date.UTC(1985, 11, 31, 18, 30), 'to three quarters of an hour'],
    ['Europe/Berlin', Date.UTC(2026, 9, 25, 1), 'back'],
    ['Europe/Berlin', Date.UTC(2026, 2, 29, 1), 'forward'],
  ])('of %s is that of the platform before and after it is changed %s %s', (timeZone, changedAtMs, _how) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    for (let second = -3_600; second <= 3_600; second += 7) {
      const atMs = changedAtMs + second * 1_000;
      const shown = new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 19).replace('T', ' ');
      expect(shown).toBe(format.format(atMs));
    }
  });
});
