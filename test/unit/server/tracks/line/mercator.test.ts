import { describe, expect, it } from 'vitest';
import { mercatorY, nearestTurn } from '../../../../../server/tracks/line/mercator.ts';

describe('the plane of maps', () => {
  it('is a square: its upper end is as far as its right one', () => {
    expect(mercatorY(0)).toBeCloseTo(0, 9);
    expect(mercatorY(85.051_128_779_806_59)).toBeCloseTo(180, 6);
    expect(mercatorY(-90)).toBeCloseTo(-180, 6);
    // 60 degrees north, where the scale is twice that of the equator.
    expect(mercatorY(60.001) - mercatorY(59.999)).toBeCloseTo(0.004, 6);
  });

  it('goes on beyond the antimeridian', () => {
    expect(nearestTurn(-179, 179)).toBe(181);
    expect(nearestTurn(179, -179)).toBe(-181);
    expect(nearestTurn(-179, 541)).toBe(541);
    expect(nearestTurn(10, 20)).toBe(10);
  });
});
