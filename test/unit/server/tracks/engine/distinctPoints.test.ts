import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DistinctPoints } from '../../../../../server/tracks/engine/distinctPoints.ts';
import { comparePoints, type TrackPoint } from '../../../../../server/tracks/trips/trackPoint.ts';

const point = fc.record({
  atMs: fc.nat(20),
  offsetMs: fc.constant(0),
  hasFix: fc.boolean(),
  latitude: fc.nat(2),
  longitude: fc.nat(2),
  speedKmh: fc.nat(2),
  ignitionOn: fc.boolean(),
  mileageKm: fc.constant(null),
  fuelLiters: fc.constant(null),
});

function distinct(points: readonly TrackPoint[]): TrackPoint[] {
  const all = new DistinctPoints();
  for (const each of points) all.add(each);
  return all.sorted();
}

it('one point of each moment is left, in the order of time, whatever order they came in', () => {
  fc.assert(
    fc.property(fc.array(point), fc.infiniteStream(fc.nat()), (points, keys) => {
      const order = points.map((each) => [keys.next().value ?? 0, each] as const);
      const mixed = order.sort(([left], [right]) => left - right).map(([, each]) => each);
      const moments = [...new Set(points.map(({ atMs }) => atMs))].sort((left, right) => left - right);
      const firstOf = (atMs: number) => points.filter((each) => each.atMs === atMs).toSorted(comparePoints)[0];
      expect(distinct(points)).toEqual(moments.map(firstOf));
      expect(distinct(mixed)).toEqual(distinct(points));
    }),
  );
});
