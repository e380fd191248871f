import { describe, expect, it } from 'vitest';
import { plausiblePosition } from '../../../../../server/events/rules/plausible.ts';
import { positionAt, START_MS } from './playRules.ts';

describe('a position', () => {
  it('that can be is taken as it is', () => {
    const position = positionAt({ at: 0, fuelLiters: 80.5, cabinCelsius: -18, videoLostBits: 3, storageFaultBits: 0 });
    expect(plausiblePosition(position)).toBe(position);
    const blind = positionAt({ at: 0, hasFix: false, latitude: 0, longitude: 0, speedKmh: undefined });
    expect(plausiblePosition(blind)).toBe(blind);
  });

  it.each([
    ['speedKmh', 6_553.5],
    ['speedKmh', -1],
    ['speedKmh', Number.NaN],
    ['fuelLiters', 0],
    ['fuelLiters', 6_553.5],
    ['cabinCelsius', -32_767],
    ['cabinCelsius', 126],
    ['videoLostBits', 0.5],
    ['storageFaultBits', Number.NaN],
  ] as const)('has no %s of %d', (name, value) => {
    const position = positionAt({ at: 0, fuelLiters: 80, cabinCelsius: 20, videoLostBits: 0, storageFaultBits: 0 });
    expect(plausiblePosition({ ...position, [name]: value })).toEqual({ ...position, [name]: undefined });
  });

  it.each([
    [0, 0],
    [90.1, 0],
    [0, -180.1],
    [Number.NaN, 5],
  ])('has no fix at %d, %d', (latitude, longitude) => {
    expect(plausiblePosition(positionAt({ at: 0, latitude, longitude }))).toMatchObject({ hasFix: false });
  });

  const hour = 3_600_000;
  it.each([
    ['of now', 0, true],
    ['of three months ago', -89 * 24 * hour, true],
    ['of the year before', -365 * 24 * hour, false],
    ['of ten minutes ahead', hour / 6, true],
    ['of an hour ahead', hour, false],
  ])('that is late is judged where it is %s', (_when, aheadMs, isJudged) => {
    const receivedAtMs = START_MS - aheadMs;
    expect(plausiblePosition(positionAt({ at: 0, isLate: true, receivedAtMs })) !== undefined).toBe(isJudged);
  });

  it('without a time is none', () => {
    for (const time of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      expect(plausiblePosition({ ...positionAt({ at: 0 }), atMs: time })).toBeUndefined();
      expect(plausiblePosition({ ...positionAt({ at: 0 }), deviceTimeMs: time })).toBeUndefined();
    }
  });
});
