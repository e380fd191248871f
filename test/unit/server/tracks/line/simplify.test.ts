import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Accuracy, simplify } from '../../../../../server/tracks/line/simplify.ts';

interface PlanePoint {
  readonly x: number;
  readonly y: number;
  readonly speed: number;
}

function keptOf(points: readonly PlanePoint[], tolerance: number, by: Accuracy['by'] = 'time'): number[] {
  const columns = {
    atMs: Float64Array.from(points, (_, at) => 1_000 * at),
    x: Float64Array.from(points, ({ x }) => x),
    y: Float64Array.from(points, ({ y }) => y),
    speedKmh: Float64Array.from(points, ({ speed }) => speed),
  };
  const kept = new Uint8Array(points.length);
  simplify(columns, { first: 0, last: points.length - 1 }, { tolerance, by }, kept);
  return [...kept.keys()].filter((at) => kept[at] === 1);
}

/** Distance of a point from where the line between two others is at its moment. */
function offOf(points: readonly PlanePoint[], { at, begin, end }: Record<'at' | 'begin' | 'end', number>): number {
  const [point, from, to] = [points[at], points[begin], points[end]] as [PlanePoint, PlanePoint, PlanePoint];
  const share = (at - begin) / (end - begin);
  return Math.hypot(point.x - from.x - share * (to.x - from.x), point.y - from.y - share * (to.y - from.y));
}

/** Distance of a point from the line between two others. */
function distance(points: readonly PlanePoint[], { at, begin, end }: Record<'at' | 'begin' | 'end', number>): number {
  const [point, from, to] = [points[at], points[begin], points[end]] as [PlanePoint, PlanePoint, PlanePoint];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy);
}

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
const somePoint = fc.record({ x: coordinate, y: coordinate, speed: fc.integer({ min: 0, max: 120 }) });
const somePoints = fc.array(somePoint, { minLength: 1, maxLength: 120 });
const someTolerance = fc.double({ min: 0, max: 60, noNaN: true });

describe('a simplified line', () => {
  it('is at the moment of each point no further from it than the tolerance, and keeps its ends', () => {
    fc.assert(
      fc.property(somePoints, someTolerance, (points, tolerance) => {
        const kept = keptOf(points, tolerance);
        expect([kept[0], kept.at(-1)]).toEqual([0, points.length - 1]);
        for (const [at, end] of kept.slice(1).entries()) {
          const begin = kept[at] as number;
          for (let between = begin + 1; between < end; between++) {
            expect(offOf(points, { at: between, begin, end })).toBeLessThanOrEqual(tolerance + 1e-9);
          }
        }
      }),
    );
  });

  it('by its shape is no further from any point than the tolerance', () => {
    fc.assert(
      fc.property(somePoints, someTolerance, (points, tolerance) => {
        const kept = keptOf(points, tolerance, 'shape');
        for (const [at, end] of kept.slice(1).entries()) {
          const begin = kept[at] as number;
          for (let between = begin + 1; between < end; between++) {
            expect(distance(points, { at: between, begin, end })).toBeLessThanOrEqual(tolerance + 1e-9);
          }
        }
      }),
    );
  });

  it('keeps the fastest and the slowest point', () => {
    fc.assert(
      fc.property(somePoints, someTolerance, (points, tolerance) => {
        const speeds = (all: readonly number[]) => all.map((at) => points[at]?.speed ?? 0);
        const kept = speeds(keptOf(points, tolerance));
        const given = points.map(({ speed }) => speed);
        expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...given), Math.max(...given)]);
      }),
    );
  });

  it('of a straight road has the ends, the fastest and the slowest point', () => {
    const points = [50, 60, 90, 70, 20, 40, 50].map((speed, x) => ({ x, y: 0, speed }));
    expect(keptOf(points, 0.1)).toEqual([0, 2, 4, 6]);
  });

  it('keeps when it stood still, and for how long', () => {
    const points = [0, 1, 2, 2, 2, 2, 3, 4].map((x) => ({ x, y: 0, speed: 30 }));
    expect(keptOf(points, 0.1)).toEqual([0, 2, 5, 7]);
    expect(keptOf(points, 0.1, 'shape')).toEqual([0, 7]);
  });

  it('of one point, or of the same one many times, is that point', () => {
    expect(keptOf([{ x: 1, y: 1, speed: 0 }], 1)).toEqual([0]);
    expect(keptOf(Array(5).fill({ x: 1, y: 1, speed: 0 }), 0)).toEqual([0, 4]);
  });
});
