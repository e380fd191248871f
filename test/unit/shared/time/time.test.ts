import { describe, expect, test } from 'vitest';
import {
  endOfDay,
  formatClock,
  formatDay,
  formatTimestamp,
  formatTimestampWithZone,
  startOfDay,
} from '../../../../shared/time/format.ts';
import { browserZone, isZone, zoneLabel, zoneNames, zoneOffset, zoneOrBrowser } from '../../../../shared/time/zones.ts';

const AT = Date.UTC(2026, 6, 31, 18, 5, 9); // in Taipei it is the first of August

describe('a moment as text', () => {
  test('is in the zone that is asked for, whatever the browser has', () => {
    expect(formatTimestamp(AT, 'Asia/Taipei')).toBe('2026-08-01 02:05:09');
    expect(formatTimestamp(AT, 'UTC')).toBe('2026-07-31 18:05:09');
    expect(formatDay(AT, 'Asia/Tokyo')).toBe('2026-08-01');
    expect(formatClock(AT, 'America/New_York')).toBe('14:05:09');
  });

  test('has 0 hours after midnight', () => {
    expect(formatTimestamp(Date.UTC(2026, 0, 31, 16, 0, 9), 'Asia/Taipei')).toBe('2026-02-01 00:00:09');
    expect(formatClock(0, 'UTC')).toBe('00:00:00');
  });

  test.each([Number.NaN, 8.65e15])('is none of %d, which no clock shows', (atMs) => {
    for (const format of [formatTimestamp, formatDay, formatClock]) expect(format(atMs, 'UTC')).toBe('Invalid Date');
  });

  test('says its zone, summer time included', () => {
    expect(formatTimestampWithZone(AT, 'Asia/Kolkata')).toBe('2026-07-31 23:35:09 UTC+05:30');
    expect(zoneOffset('Europe/Berlin', AT)).toBe('UTC+02:00');
    expect(zoneOffset('Europe/Berlin', Date.UTC(2026, 0, 1))).toBe('UTC+01:00');
    expect(zoneOffset('UTC', AT)).toBe('UTC+00:00');
    expect(zoneLabel('America/New_York', AT)).toBe('America/New York (UTC-04:00)');
  });
});

describe('a day', () => {
  test('begins and ends at midnight of the zone, however long it is', () => {
    expect(startOfDay('2026-08-01', 'Asia/Taipei')).toBe(Date.UTC(2026, 6, 31, 16));
    expect(endOfDay('2026-08-01', 'Asia/Taipei')).toBe(Date.UTC(2026, 7, 1, 16));
    const hours = (day: string) => {
      const [from = 0, to = 0] = [startOfDay(day, 'Europe/Berlin'), endOfDay(day, 'Europe/Berlin')];
      return (to - from) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-10-25'), hours('2026-12-31')]).toEqual([23, 25, 24]);
  });

  test.each(['', '2026-02-30', '2026-8-1', 'today'])('%j is none', (day) => {
    expect(startOfDay(day, 'UTC')).toBeUndefined();
    expect(endOfDay(day, 'UTC')).toBeUndefined();
  });
});

describe('zones', () => {
  test('are known by name, and one that is not falls back to the browser', () => {
    expect([isZone('Asia/Taipei'), isZone('UTC'), isZone(''), isZone('Mars/Base')]).toEqual([true, true, false, false]);
    expect(zoneOrBrowser('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(zoneOrBrowser('Mars/Base')).toBe(browserZone());
    expect(zoneOrBrowser(undefined)).toBe(browserZone());
  });

  test('to choose from are sorted, without doubles, UTC among them', () => {
    const names = zoneNames();
    expect(names.length).toBeGreaterThan(300);
    expect(names).toContain('UTC');
    expect([...new Set(names)].sort()).toEqual(names);
  });
});
