import { describe, expect, test } from 'vitest';
import { distanceIntoSight } from '../../../../pages/innerpage/datasync/calendar/inSight.ts';
import { daysOf, monthAfter, monthOf } from '../../../../pages/innerpage/datasync/calendar/months.ts';
import { PLACE_LOOKS, partsOf } from '../../../../pages/innerpage/datasync/calendar/placeLooks.ts';
import { SYNC_PLACES } from '../../../../shared/protocol/sync/syncWords.ts';

describe('a month', () => {
  test.each([
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-03', -1, '2026-02'],
  ])('%s and %i: %s', (month, count, other) => {
    expect(monthAfter(month, count)).toBe(other);
  });

  test.each([
    ['2026-02', 28],
    ['2028-02', 29],
    ['2026-11', 30],
    ['2026-12', 31],
  ])('%s has %i days', (month, count) => {
    const days = daysOf(month);
    expect([days.length, days[0], days.at(-1)]).toEqual([count, `${month}-01`, `${month}-${count}`]);
    expect(days.every((day) => monthOf(day) === month)).toBe(true);
  });
});

describe('the parts of a cell', () => {
  test('stand in the order of the legend, without those that are nothing', () => {
    expect(partsOf([60_000, 0, 3_000, 0, 0, 1])).toEqual([
      { place: 'device', ms: 60_000 },
      { place: 'both', ms: 3_000 },
      { place: 'missing', ms: 1 },
    ]);
    expect(partsOf([])).toEqual([]);
  });

  test('are told apart by more than their color where two mean much the same', () => {
    const looks = SYNC_PLACES.map((place) => PLACE_LOOKS[place]);
    expect(new Set(looks.map(({ background }) => background)).size).toBe(SYNC_PLACES.length);
    expect(new Set(looks.map(({ border }) => border)).size).toBe(SYNC_PLACES.length);
  });
});

describe('a day', () => {
  const box = { left: 20, right: 320 };

  test.each([
    ['in sight stays', { left: 20, right: 50 }, 0],
    ['at the right edge stays', { left: 290, right: 320 }, 0],
    ['cut at the right edge comes to the middle', { left: 300, right: 330 }, 145],
    ['left of the box comes to the middle', { left: -130, right: -100 }, -285],
  ])('%s', (_name, day, distance) => {
    expect(distanceIntoSight(box, day)).toBe(distance);
    const moved = { left: day.left - distance, right: day.right - distance };
    expect(distanceIntoSight(box, moved)).toBe(0);
  });
});
