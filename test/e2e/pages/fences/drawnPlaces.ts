// Where on the ground the places of a map are, on which geofences are drawn by pointer.
import { expect } from 'vitest';
import type { FenceShape } from '../../../../shared/protocol/api/fences/fences.ts';
import { toDegrees, toWorld, worldSize } from '../../../../shared/ui/map/mercator.ts';
import type { MapPlace } from './fenceTools.ts';

export type Degrees = readonly [lng: number, lat: number];

/** The closest zoom at which the map shows a geofence. */
const ZOOM = 16;
/** Some 3 pixels at this zoom. */
export const NEAR_DEGREES = 3e-5;
const METERS_A_DEGREE = 111_195;

export interface DrawnPlaces {
  degreesOf(place: MapPlace): Degrees;
  metersOf(pixels: number): number;
  /** Their order does not matter: that of a ring is up to the tool. */
  expectPlaces(shape: Pick<FenceShape, 'geometry'>, ...places: readonly MapPlace[]): void;
}

/** Places while `middle` is in the middle of the map, at its closest zoom. */
export function placesAround([middleLng, middleLat]: Degrees): DrawnPlaces {
  const degreesOf = ([right, down]: MapPlace): Degrees => {
    const { x, y } = toWorld(middleLat, middleLng);
    const size = worldSize(ZOOM);
    const { lat, lng } = toDegrees({ x: x + right / size, y: y + down / size });
    return [lng, lat];
  };
  return {
    degreesOf,
    metersOf: (pixels) => (degreesOf([0, -pixels])[1] - middleLat) * METERS_A_DEGREE,
    expectPlaces: (shape, ...places) => {
      const positions = positionsOf(shape);
      const expected = places.map(degreesOf);
      const missing = expected.filter(([lng, lat]) => !positions.some(([x, y]) => isNear(x, lng) && isNear(y, lat)));
      expect({ missing, positions }).toEqual({
        missing: [],
        positions: expect.toSatisfy((all) => all.length === places.length),
      });
    },
  };
}

/** All positions; those of a ring without its last one. */
function positionsOf({ geometry }: Pick<FenceShape, 'geometry'>): readonly (readonly number[])[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'Polygon':
      return (geometry.coordinates[0] ?? []).slice(0, -1);
  }
}

const isNear = (degrees: number | undefined, expected: number | undefined): boolean =>
  Math.abs((degrees ?? Number.NaN) - (expected ?? Number.NaN)) < NEAR_DEGREES;
