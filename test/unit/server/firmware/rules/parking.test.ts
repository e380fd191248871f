import { describe, expect, it } from 'vitest';
import { parkedSince } from '../../../../../server/firmware/rules/parking.ts';

const still = { hasFix: true, speedKmh: 2, ignitionOn: true, atMs: 9 };

describe('since when a vehicle is parked', () => {
  it.each([
    [undefined, {}, 9],
    [5, {}, 5],
    [5, { speedKmh: 3 }, undefined],
    [undefined, { hasFix: false }, undefined],
    [undefined, { hasFix: false, ignitionOn: false }, undefined],
    [5, { hasFix: false, ignitionOn: false }, 5],
    [5, { hasFix: false, ignitionOn: true }, undefined],
    [5, { hasFix: false, ignitionOn: false, speedKmh: 30 }, undefined],
  ])('%s, then %j: %s', (since, change, expected) => {
    expect(parkedSince(since, { ...still, ...change })).toBe(expected);
  });
});
