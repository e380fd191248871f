import { describe, expect, it } from 'vitest';
import { metersTo } from '../../../../../server/events/rules/distance.ts';

describe('the distance', () => {
  it.each([
    ['a degree to the north', [25, 121], [26, 121], 111_320],
    ['a degree to the east at the equator', [0, 10], [0, 11], 111_320],
    ['a degree to the east at 60 degrees', [60, 10], [60, 11], 55_660],
    ['across the date line', [0, 179.5], [0, -179.5], 111_320],
    ['to the same place', [25, 121], [25, 121], 0],
  ])('%s', (_where, [fromLatitude = 0, fromLongitude = 0], [latitude = 0, longitude = 0], meters) => {
    expect(metersTo({ latitude, longitude }, fromLatitude, fromLongitude)).toBeCloseTo(meters, 3);
  });

  it('is no number where a place isn’t known', () => {
    expect(metersTo({ latitude: 25, longitude: 121 }, Number.NaN, Number.NaN)).toBeNaN();
  });
});
