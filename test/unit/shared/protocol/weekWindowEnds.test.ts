import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import { isScheduled } from '../../../../shared/protocol/weekSchedule.ts';
import { endOfWindow } from '../../../../shared/protocol/weekWindowEnds.ts';
import { runs } from '../../../support/runs.ts';

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];
const MINUTE_MS = 60_000;
const at = (text: string): number => Date.parse(text);
const window = (from: number, to: number, days: readonly number[] = ALL_DAYS) => ({
  days: [...days],
  fromMinute: from * 60,
  toMinute: to * 60,
});
const endText = (schedule: WeekSchedule, zone: string, text: string): string | undefined => {
  const endMs = endOfWindow(schedule, zone, at(text));
  return endMs === undefined ? undefined : new Date(endMs).toISOString().slice(0, 16);
};

describe('when the hours that hold at a moment end', () => {
  const night = [window(22, 6)];

  it.each([
    ['in none of them', '2026-11-20T21:59Z', undefined],
    ['at their begin', '2026-11-20T22:00Z', '2026-11-21T06:00'],
    ['past midnight', '2026-11-21T00:30Z', '2026-11-21T06:00'],
    ['in their last second', '2026-11-21T05:59:59Z', '2026-11-21T06:00'],
    ['at their end', '2026-11-21T06:00Z', undefined],
  ])('%s', (_where, text, expected) => {
    expect(endText(night, 'UTC', text)).toBe(expected);
  });

  it('is none without windows', () => {
    expect(endOfWindow([], 'UTC', at('2026-11-20T22:00Z'))).toBeUndefined();
  });

  it('joins windows that touch, over the end of the week too', () => {
    const weekend = [window(22, 24, [5]), window(0, 24, [6, 7]), window(0, 7, [1])];
    expect(endText(weekend, 'UTC', '2026-11-20T23:00Z')).toBe('2026-11-23T07:00');
    expect(endText(weekend, 'UTC', '2026-11-22T23:59Z')).toBe('2026-11-23T07:00');
  });

  it('is none where they cover the whole week', () => {
    expect(endOfWindow([window(0, 24)], 'Europe/Berlin', at('2026-10-24T10:00Z'))).toBeUndefined();
    expect(endOfWindow([window(0, 12), window(12, 0)], 'UTC', at('2026-11-20T10:00Z'))).toBeUndefined();
  });

  it('goes by the wall clock where it changes within them', () => {
    // In Berlin the clock goes back at 01:00 UTC of 25 October 2026, and forward at 01:00 UTC of 29 March 2026.
    expect(endText(night, 'Europe/Berlin', '2026-10-24T21:00Z')).toBe('2026-10-25T05:00');
    expect(endText(night, 'Europe/Berlin', '2026-03-28T22:00Z')).toBe('2026-03-29T04:00');
    const skipped = [window(1, 2.5)];
    expect(endText(skipped, 'Europe/Berlin', '2026-03-29T00:30Z')).toBe('2026-03-29T01:00');
  });

  it('takes a zone that is not known for that of the system', () => {
    const here = endOfWindow(night, '', at('2026-11-20T22:00Z'));
    expect(endOfWindow(night, 'Nowhere/Land', at('2026-11-20T22:00Z'))).toBe(here);
  });

  it('is the first moment at which none holds, in every zone and around every change of the clock', () => {
    const day = fc.integer({ min: 1, max: 7 });
    const windows = fc.array(
      fc.record({
        days: fc.uniqueArray(day, { minLength: 1, maxLength: 7 }),
        fromMinute: fc.integer({ min: 0, max: 1_440 }),
        toMinute: fc.integer({ min: 0, max: 1_440 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
    const changes = ['2026-03-08', '2026-03-29', '2026-04-04', '2026-10-03', '2026-10-25', '2026-11-01', '2026-06-10'];
    const moment = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -1_440, max: 1_440 }), fc.integer({ min: 0, max: 59_999 }))
      .map(([text, minutes, ms]) => at(`${text}T00:00Z`) + minutes * MINUTE_MS + ms);
    fc.assert(
      fc.property(windows, zone, moment, (schedule, timeZone, atMs) => {
        expect(endOfWindow(schedule, timeZone, atMs)).toBe(endByMinutes(schedule, timeZone, atMs));
      }),
      { numRuns: runs(40) },
    );
  });
});

/** The same, minute by minute. */
function endByMinutes(schedule: WeekSchedule, timeZone: string, atMs: number): number | undefined {
  if (!isScheduled(schedule, timeZone, atMs)) return undefined;
  const firstMs = atMs - (atMs % MINUTE_MS) + MINUTE_MS;
  for (let nextMs = firstMs; nextMs <= firstMs + 8 * 1_440 * MINUTE_MS; nextMs += MINUTE_MS) {
    if (!isScheduled(schedule, timeZone, nextMs)) return nextMs;
  }
  return undefined;
}
