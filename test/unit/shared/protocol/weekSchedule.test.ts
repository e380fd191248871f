import { describe, expect, it } from 'vitest';
import { isScheduled } from '../../../../shared/protocol/weekSchedule.ts';

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];
const at = (text: string): number => Date.parse(text);

describe('whether a moment is in a schedule', () => {
  // Saturday and Sunday 22:00 to 06:00, weekdays 08:00 to 18:00.
  const schedule = [
    { days: [6, 7], fromMinute: 22 * 60, toMinute: 6 * 60 },
    { days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 },
  ];

  it.each([
    ['Friday 07:59', '2026-11-20T07:59:59Z', false],
    ['Friday 08:00', '2026-11-20T08:00:00Z', true],
    ['Friday 17:59', '2026-11-20T17:59:59Z', true],
    ['Friday 18:00', '2026-11-20T18:00:00Z', false],
    ['Saturday 05:00, since Friday has no night', '2026-11-21T05:00:00Z', false],
    ['Saturday 22:00', '2026-11-21T22:00:00Z', true],
    ['Sunday 05:59, still the window of Saturday', '2026-11-22T05:59:00Z', true],
    ['Sunday 06:00', '2026-11-22T06:00:00Z', false],
    ['Monday 00:00, still that of Sunday', '2026-11-23T00:00:00Z', true],
    ['Monday 07:00', '2026-11-23T07:00:00Z', false],
  ])('by its days and hours, on %s', (_when, text, expected) => {
    expect(isScheduled(schedule, 'UTC', at(text))).toBe(expected);
  });

  it('goes by the wall clock of the time zone, summer time included', () => {
    const morning = [{ days: ALL_DAYS, fromMinute: 8 * 60, toMinute: 9 * 60 }];
    expect(isScheduled(morning, 'Asia/Taipei', at('2026-11-21T00:30Z'))).toBe(true);
    expect(isScheduled(morning, 'UTC', at('2026-11-21T00:30Z'))).toBe(false);
    expect(isScheduled(morning, 'Europe/Berlin', at('2026-07-01T06:30Z'))).toBe(true);
    expect(isScheduled(morning, 'Europe/Berlin', at('2026-12-01T06:30Z'))).toBe(false);
    expect(isScheduled(morning, 'Europe/Berlin', at('2026-12-01T07:30Z'))).toBe(true);
  });

  it('has the hour that a change of the clock repeats twice, and the one that it skips not at all', () => {
    const night = [{ days: ALL_DAYS, fromMinute: 2 * 60, toMinute: 3 * 60 }];
    const isOn = (text: string): boolean => isScheduled(night, 'Europe/Berlin', at(text));
    // On 2026-10-25 it is 02:30 at 00:30 and at 01:30 UTC; on 2026-03-29 the clock goes from 02:00 to 03:00.
    const autumn = ['2026-10-24T23:59Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:00Z'];
    expect(autumn.map(isOn)).toEqual([false, true, true, false]);
    expect(['2026-03-29T00:59Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'].map(isOn)).toEqual([false, false, false]);
  });

  it('takes a window of a whole day from midnight to midnight', () => {
    const saturday = [{ days: [6], fromMinute: 0, toMinute: 1440 }];
    expect(isScheduled(saturday, 'UTC', at('2026-11-20T23:59:59Z'))).toBe(false);
    expect(isScheduled(saturday, 'UTC', at('2026-11-21T00:00Z'))).toBe(true);
    expect(isScheduled(saturday, 'UTC', at('2026-11-21T23:59:59Z'))).toBe(true);
    expect(isScheduled(saturday, 'UTC', at('2026-11-22T00:00Z'))).toBe(false);
  });

  it.each(['', 'Mars/Olympus'])('goes by the zone of this system for the zone "%s"', (timeZone) => {
    const always = [{ days: ALL_DAYS, fromMinute: 0, toMinute: 1440 }];
    expect(isScheduled(always, timeZone, at('2026-11-21T12:00Z'))).toBe(true);
  });

  it('is always so where it has no windows', () => {
    expect(isScheduled([], 'UTC', at('2026-11-21T12:00Z'))).toBe(true);
  });
});
