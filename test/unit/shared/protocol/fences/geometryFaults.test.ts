import { area } from '@turf/area';
import { polygon } from '@turf/helpers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FenceShape, LngLat } from '../../../../../shared/protocol/api/fences/fences.ts';
import { hasCrossingEdges } from '../../../../../shared/protocol/fences/crossingEdges.ts';
import { placeAt, ringAreaM2 } from '../../../../../shared/protocol/fences/earth.ts';
import { faultsOfShape } from '../../../../../shared/protocol/fences/geometryFaults.ts';
import { aCircle, aCorridor, aPolygon, aRectangle, squareAround } from '../../../../support/aFence.ts';
import { runs } from '../../../../support/runs.ts';

const METER = 1 / 111_195;

/** A star whose rays have different lengths. */
function starRing(vertices: number, center: LngLat = [121.5, 25]): LngLat[] {
  const ring = Array.from({ length: vertices }, (_, at) =>
    placeAt(center, at % 2 === 0 ? 1_000 : 900, -(at * 360) / vertices),
  );
  return [...ring, ring[0] ?? center];
}

describe('what can be a fence', () => {
  it.each<[string, FenceShape]>([
    ['a polygon', aPolygon()],
    ['a polygon of 2,000 vertices', aPolygon(starRing(2_000))],
    [
      'a triangle',
      aPolygon([
        [121, 25],
        [121.1, 25],
        [121, 25.1],
        [121, 25],
      ]),
    ],
    [
      'a polygon over the antimeridian',
      aPolygon([
        [179.9, 0],
        [-179.9, 0],
        [-179.9, 1],
        [179.9, 1],
        [179.9, 0],
      ]),
    ],
    ['a rectangle', aRectangle()],
    [
      'a rectangle over the antimeridian',
      aRectangle([
        [179.9, 0],
        [-179.9, 0],
        [-179.9, 1],
        [179.9, 1],
        [179.9, 0],
      ]),
    ],
    ['a circle', aCircle(10)],
    ['a corridor', aCorridor(5)],
    [
      'a corridor that crosses itself',
      aCorridor(5, [
        [121, 25],
        [121.1, 25.1],
        [121.1, 25],
        [121, 25.1],
      ]),
    ],
    ['a square of 11 by 11 m', aPolygon(squareAround([121.5, 0], 5.5 * METER))],
  ])('%s', (_what, shape) => {
    expect(faultsOfShape(shape)).toEqual([]);
  });
});

describe('what can be none', () => {
  const strip = (lat: number): LngLat[] => [-100, -50, 0, 50, 100].map((lng) => [lng, lat]);
  const hole = squareAround([121.5, 25], 0.001);
  it.each<[string, string, FenceShape]>([
    [
      'crossing edges',
      'fence-crossing',
      aPolygon([
        [121, 25],
        [121.1, 25.1],
        [121.1, 25],
        [121, 25.1],
        [121, 25],
      ]),
    ],
    [
      'an edge that runs back',
      'fence-crossing',
      aPolygon([
        [121, 25],
        [121.1, 25],
        [121.05, 25],
        [121, 25.1],
        [121, 25],
      ]),
    ],
    [
      'a vertex on another edge',
      'fence-crossing',
      aPolygon([
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
        [0, 0],
      ]),
    ],
    [
      'two vertices',
      'fence-few-vertices',
      aPolygon([
        [121, 25],
        [121.1, 25],
        [121, 25],
      ]),
    ],
    [
      'one vertex many times',
      'fence-few-vertices',
      aPolygon([
        [121, 25],
        [121, 25],
        [121, 25],
        [121, 25],
      ]),
    ],
    ['2,001 vertices', 'fence-many-vertices', aPolygon(starRing(2_001))],
    ['a square of 9 by 9 m', 'fence-small-area', aPolygon(squareAround([121.5, 0], 4.5 * METER))],
    ['a radius of 9 m', 'fence-small-radius', aCircle(9)],
    ['a radius that is no number', 'fence-small-radius', aCircle(Number.NaN)],
    ['a radius of 5,001 km', 'fence-hemisphere', aCircle(5_001_000, [0, 0])],
    ['a width of 4 m', 'fence-small-width', aCorridor(4)],
    ['a width of 11 km', 'fence-small-width', aCorridor(11_000)],
    ['a strip of 200 degrees', 'fence-hemisphere', aPolygon([...strip(0), ...strip(1).reverse(), [-100, 0]])],
    ['more than a quarter of the earth', 'fence-hemisphere', aPolygon(squareAround([0, 0], 89))],
    [
      'a ring around a pole',
      'fence-pole',
      aPolygon([
        [0, 80],
        [90, 80],
        [180, 80],
        [-90, 80],
        [0, 80],
      ]),
    ],
    [
      'a vertex at a pole',
      'fence-pole',
      aPolygon([
        [0, 80],
        [10, 80],
        [5, 90],
        [0, 80],
      ]),
    ],
    ['a circle over a pole', 'fence-pole', aCircle(1_000_000, [10, 85])],
    [
      'a corridor to a pole',
      'fence-pole',
      aCorridor(50, [
        [0, 80],
        [0, 90],
      ]),
    ],
    [
      'a latitude of 91',
      'fence-outside-earth',
      aPolygon([
        [0, 80],
        [10, 91],
        [5, 80],
        [0, 80],
      ]),
    ],
    ['a longitude of 181', 'fence-outside-earth', aCircle(100, [181, 0])],
    [
      'a leaning rectangle',
      'fence-not-rectangle',
      aRectangle([
        [121, 25],
        [121.1, 25.01],
        [121.1, 25.1],
        [121, 25.1],
        [121, 25],
      ]),
    ],
    [
      'a rectangle of five vertices',
      'fence-not-rectangle',
      aRectangle([
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 1],
        [0, 1],
        [0, 0],
      ]),
    ],
    [
      'a hole',
      'fence-hole',
      { ...aPolygon(), geometry: { type: 'Polygon', coordinates: [squareAround([121.5, 25], 0.01), hole] } },
    ],
    [
      'a ring that is open',
      'fence-other-geometry',
      aPolygon([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
    ],
    ['no ring', 'fence-other-geometry', { ...aPolygon(), geometry: { type: 'Polygon', coordinates: [] } }],
    ['a circle with an outline', 'fence-other-geometry', { ...aPolygon(), kind: 'circle' }],
    [
      'a corridor of one vertex',
      'fence-few-vertices',
      aCorridor(50, [
        [121, 25],
        [121, 25],
      ]),
    ],
  ])('%s', (_what, fault, shape) => {
    expect(faultsOfShape(shape)).toEqual([fault]);
  });
});

describe('crossing edges', () => {
  const ring = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 })), {
    minLength: 4,
    maxLength: 9,
  });

  it('are those that a comparison of all edges finds', () => {
    fc.assert(
      fc.property(ring, (vertices: LngLat[]) => {
        const distinct = vertices.filter(([x, y], at) => {
          const [nextX, nextY] = vertices[(at + 1) % vertices.length] ?? [];
          return x !== nextX || y !== nextY;
        });
        fc.pre(distinct.length >= 3);
        expect(hasCrossingEdges(distinct)).toBe(crossesSomewhere(distinct));
      }),
      { numRuns: runs(2_000) },
    );
  });

  /** On a grid: exact, and slow. */
  function crossesSomewhere(vertices: readonly LngLat[]): boolean {
    const edge = (at: number) =>
      [vertices[at % vertices.length] ?? [0, 0], vertices[(at + 1) % vertices.length] ?? [0, 0]] as const;
    const on = ([[ax, ay], [bx, by]]: ReturnType<typeof edge>, [x, y]: LngLat) =>
      (bx - ax) * (y - ay) === (by - ay) * (x - ax) &&
      Math.min(ax, bx) <= x &&
      x <= Math.max(ax, bx) &&
      Math.min(ay, by) <= y &&
      y <= Math.max(ay, by);
    const turn = ([[ax, ay], [bx, by]]: ReturnType<typeof edge>, [x, y]: LngLat) =>
      Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
    for (let one = 0; one < vertices.length; one++) {
      for (let other = one + 1; other < vertices.length; other++) {
        const [a, b] = [edge(one), edge(other)];
        const areNeighbors = other === one + 1 || (one === 0 && other === vertices.length - 1);
        if (areNeighbors) {
          const [first, second] = other === one + 1 ? [a, b] : [b, a];
          if (on(first, second[1]) || on(second, first[0])) return true;
          continue;
        }
        if (on(a, b[0]) || on(a, b[1]) || on(b, a[0]) || on(b, a[1])) return true;
        if (turn(a, b[0]) * turn(a, b[1]) < 0 && turn(b, a[0]) * turn(b, a[1]) < 0) return true;
      }
    }
    return false;
  }
});

describe('the area', () => {
  it('is that of turf, within a thousandth', () => {
    const place = fc.tuple(
      fc.double({ min: -170, max: 170, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
    );
    fc.assert(
      fc.property(place, fc.double({ min: 0.001, max: 3, noNaN: true }), (center: LngLat, half) => {
        const ring = squareAround(center, half);
        const expected = area(polygon([ring.map(([lng, lat]) => [lng, lat])]));
        expect(Math.abs(ringAreaM2(ring.slice(0, -1)) - expected)).toBeLessThanOrEqual(expected / 1_000 + 0.1);
      }),
    );
  });
});
