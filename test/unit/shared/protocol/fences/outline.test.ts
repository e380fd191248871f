import { distance } from '@turf/distance';
import { lineString } from '@turf/helpers';
import { pointToLineDistance } from '@turf/point-to-line-distance';
import { describe, expect, it } from 'vitest';
import type { LngLat } from '../../../../../shared/protocol/api/fences/fences.ts';
import {
  boundsOfShape,
  circleRing,
  corridorOutline,
  outlineOf,
} from '../../../../../shared/protocol/fences/outline.ts';
import { aCircle, aCorridor, aPolygon, squareAround } from '../../../../support/aFence.ts';

const meters = (a: LngLat, b: LngLat) => distance([a[0], a[1]], [b[0], b[1]], { units: 'meters' });

describe('outlines of fences', () => {
  it('of a circle are as far from its center as its radius', () => {
    const center: LngLat = [139.7, 35.6];
    const ring = circleRing(center, 2_000);
    expect(ring.at(0)).toEqual(ring.at(-1));
    for (const place of ring) expect(meters(center, place)).toBeCloseTo(2_000, 3);
  });

  it('of a corridor are as far from its line as half its width, but for the inner side of a bend', () => {
    const line: LngLat[] = [
      [121.5, 25],
      [121.52, 25.01],
      [121.54, 25],
      [121.54, 24.97],
    ];
    const ring = corridorOutline(line, 100);
    const along = lineString(line.map(([lng, lat]) => [lng, lat]));
    expect(ring.at(0)).toEqual(ring.at(-1));
    const distances = ring.map(([lng, lat]) => pointToLineDistance([lng, lat], along, { units: 'meters' }));
    expect(Math.max(...distances)).toBeLessThan(50.3);
    expect(distances.filter((each) => each > 49.7).length).toBeGreaterThan(ring.length - 6);
  });

  it('run on over the antimeridian', () => {
    const ring = outlineOf(
      aPolygon([
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
        [179, 0],
      ]),
    );
    expect(ring.map(([lng]) => lng)).toEqual([179, 181, 181, 179, 179]);
    const around = circleRing([179.99, 0], 10_000).map(([lng]) => lng);
    expect(Math.max(...around) - Math.min(...around)).toBeLessThan(0.2);
  });

  it('of a corridor without a length are none', () => {
    expect(
      corridorOutline(
        [
          [121, 25],
          [121, 25],
        ],
        50,
      ),
    ).toEqual([]);
  });
});

describe('the box of a fence', () => {
  it('holds a polygon exactly', () => {
    expect(boundsOfShape(aPolygon(squareAround([1, 2], 0.5)))).toEqual({
      west: 0.5,
      south: 1.5,
      east: 1.5,
      north: 2.5,
    });
  });

  it.each([
    ['a circle', aCircle(5_000, [121.5, 60])],
    ['a corridor', aCorridor(400)],
  ])('holds %s with all of its outline', (_what, shape) => {
    const { west, south, east, north } = boundsOfShape(shape);
    for (const [lng, lat] of outlineOf(shape)) {
      expect(lng).toBeGreaterThanOrEqual(west - 1e-6);
      expect(lng).toBeLessThanOrEqual(east + 1e-6);
      expect(lat).toBeGreaterThanOrEqual(south - 1e-6);
      expect(lat).toBeLessThanOrEqual(north + 1e-6);
    }
  });

  it('is beyond 180 degrees where it lies on the antimeridian, from whichever side it was drawn', () => {
    const fromEast = boundsOfShape(
      aPolygon([
        [-179, 0],
        [179, 0],
        [179, 1],
        [-179, 1],
        [-179, 0],
      ]),
    );
    expect(fromEast).toEqual({ west: 179, south: 0, east: 181, north: 1 });
    expect(boundsOfShape(aCircle(1_000, [-180, 0]))).toMatchObject({
      west: expect.closeTo(179.99, 2),
      east: expect.closeTo(180.01, 2),
    });
  });
});
