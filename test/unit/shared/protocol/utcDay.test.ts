import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utcDayMs, utcDayOf } from '../../../../shared/protocol/utcDay.ts';

describe('a day in UTC', () => {
  it('begins at its midnight', () => {
    expect(utcDayMs('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
    expect(utcDayOf(Date.UTC(2028, 1, 29, 23, 59, 59, 999))).toBe('2028-02-29');
  });

  it('is one of the calendar', () => {
    for (const text of ['', '2027-02-29', '2027-13-01', '2027-00-10', '2027-1-1', '27-01-01', '2027-01-01T00:00:00Z']) {
      expect([text, utcDayMs(text)]).toEqual([text, undefined]);
    }
  });

  it('is read as it is written', () => {
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, (date) => {
        const day = utcDayOf(date.getTime());
        expect(utcDayOf(utcDayMs(day) ?? Number.NaN)).toBe(day);
      }),
    );
  });
});
