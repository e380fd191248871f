// A box about a device in which nothing becomes of any fence: all of it is inside of it, or all of it outside. As long as the device
// stays in it, no fence has to be asked, not even for the way between two points, which doesn't leave the box either.
import type { FenceSet } from '../directory/fenceSet.ts';
import type { PreparedFence } from '../directory/preparedFence.ts';
import type { Place } from '../geometry/earth.ts';
import type { Box } from '../geometry/shape.ts';

/** About 1.8 km: some minutes in a town. */
const MOST_DEGREES = 0.016;
/** About 28 m: less isn't worth the search. */
const LEAST_DEGREES = 0.000_25;
const SHRINKING = 2;
/** Than the last one: where it was small, so is the next one, mostly. */
const GROWING = 4;
/** Beyond these, longitudes begin anew within the box, or it is more of a ring. */
const MOST_LATITUDE = 80;
const MOST_LONGITUDE = 179;

/** Undefined where a border is near, or where one of the fences about the place is still to be met: see `isMet`. */
export function findCalmBox(
  set: FenceSet,
  at: Place,
  isMet: (fence: PreparedFence) => boolean,
  last: Box | undefined,
): Box | undefined {
  if (Math.abs(at.latitude) > MOST_LATITUDE || Math.abs(at.longitude) > MOST_LONGITUDE) return undefined;
  let degrees = last === undefined ? MOST_DEGREES : mostAfter(last);
  let box = boxAbout(at, degrees);
  let isCalm = true;
  set.visit(box, (fence) => {
    while (isCalm && fence.shape.isBorderIn(box)) {
      degrees /= SHRINKING;
      box = boxAbout(at, degrees);
      isCalm = degrees >= LEAST_DEGREES;
    }
    if (isCalm && fence.shape.contains(at.latitude, at.longitude) && !isMet(fence)) isCalm = false;
  });
  return isCalm ? box : undefined;
}

export function isWithin({ south, west, north, east }: Box, { latitude, longitude }: Place): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

function mostAfter({ south, north }: Box): number {
  return Math.min(MOST_DEGREES, ((north - south) / 2) * GROWING);
}

function boxAbout({ latitude, longitude }: Place, degrees: number): Box {
  return {
    south: latitude - degrees,
    west: longitude - degrees,
    north: latitude + degrees,
    east: longitude + degrees,
  };
}
