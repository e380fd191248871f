import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MercatorCourse, mercatorY, nearestTurn } from '../../../../../server/tracks/line/mercator.ts';

describe('the plane of maps', () => {
  it('is a square: its upper end is as far as its right one', () => {
    expect(mercatorY(0)).toBeCloseTo(0, 9);
    expect(mercatorY(85.051_128_779_806_59)).toBeCloseTo(180, 6);
    expect(mercatorY(-90)).toBeCloseTo(-180, 6);
    // 60 degrees north, where the scale is twice that of the equator.
    expect(mercatorY(60.001) - mercatorY(59.999)).toBeCloseTo(0.004, 6);
  });

  it('is the same for places that follow one another', () => {
    const steps = fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90, noNaN: true }), steps, (first, offsets) => {
        const course = new MercatorCourse();
        let latitude = first;
        for (const offset of [0, ...offsets]) {
          latitude = Math.min(90, Math.max(-90, latitude + offset));
          // A hundredth of what a pixel of the closest map is.
          expect(Math.abs(course.y(latitude) - mercatorY(latitude))).toBeLessThan(1e-8);
        }
      }),
    );
  });

  it('goes on beyond the antimeridian', () => {
    expect(nearestTurn(-179, 179)).toBe(181);
    expect(nearestTurn(179, -179)).toBe(-181);
    expect(nearestTurn(-179, 541)).toBe(541);
    expect(nearestTurn(10, 20)).toBe(10);
  });
});
