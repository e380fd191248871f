// A line with a width. Its parts are straight in longitude and latitude, as maps draw them.
import type { LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import {
  bearingBetween,
  eastMetersPerDegree,
  longitudeNear,
  METERS_PER_DEGREE,
  metersBetween,
  type Place,
} from './earth.ts';
import { unwound } from './ring.ts';
import { metersApart, nearestToOrigin } from './segments.ts';
import {
  type Box,
  boxNear,
  boxOf,
  doOverlap,
  isInBox,
  middleOfBox,
  type Progress,
  reachMeters,
  type Shape,
} from './shape.ts';

/** Some parts of the line, of which none need be looked at where their box is elsewhere. */
interface Chunk {
  readonly box: Box;
  readonly parts: readonly Part[];
}

interface Part {
  readonly from: Place;
  readonly to: Place;
  readonly startMeters: number;
  readonly lengthMeters: number;
}

interface Nearest {
  readonly part: Part;
  readonly meters: number;
  readonly share: number;
}

const PARTS_A_CHUNK = 16;
/** What rounding may move the border. */
const MARGIN_METERS = 0.05;

export class Corridor implements Shape {
  readonly box: Box;
  readonly #halfMeters: number;
  readonly #parts: readonly Part[];
  readonly #chunks: readonly Chunk[];

  constructor(coordinates: readonly LngLat[], widthMeters: number) {
    this.#halfMeters = widthMeters / 2;
    this.#parts = partsOf(coordinates);
    this.box = boxAround(this.#parts, this.#halfMeters);
    this.#chunks = chunksOf(this.#parts, this.#halfMeters);
  }

  contains(latitude: number, longitude: number): boolean {
    if (!isInBox(this.box, latitude, longitude)) return false;
    return this.#chunks.some(
      ({ box, parts }) =>
        isInBox(box, latitude, longitude) && nearestOf(parts, latitude, longitude).meters <= this.#halfMeters,
    );
  }

  borderMeters(latitude: number, longitude: number): number {
    return Math.abs(nearestOf(this.#parts, latitude, longitude).meters - this.#halfMeters);
  }

  isCrossed(from: Place, to: Place): boolean {
    const east = eastMetersPerDegree(from.latitude);
    const x = ({ longitude }: Place): number => (longitudeNear(longitude, from.longitude) - from.longitude) * east;
    const y = ({ latitude }: Place): number => (latitude - from.latitude) * METERS_PER_DEGREE;
    const way = { x1: 0, y1: 0, x2: x(to), y2: y(to) };
    return this.#parts.some((part) => {
      const line = { x1: x(part.from), y1: y(part.from), x2: x(part.to), y2: y(part.to) };
      return metersApart(way, line) <= this.#halfMeters;
    });
  }

  /** A corridor is narrow: of a box inside of it this says no less than of one at its border. */
  isBorderIn(box: Box): boolean {
    const near = boxNear(box, this.box);
    const around = twiceAsWide(near);
    if (!doOverlap(around, this.box)) return false;
    const { latitude, longitude } = middleOfBox(near);
    // Where a degree of longitude is shortest, and with it the way to the line: from nowhere in the box it is shorter.
    const east = eastMetersPerDegree(Math.max(Math.abs(near.south), Math.abs(near.north)));
    const most = this.#halfMeters + reachMeters(near, east) + MARGIN_METERS;
    return this.#chunks.some(
      (chunk) => doOverlap(around, chunk.box) && nearestOf(chunk.parts, latitude, longitude, east).meters < most,
    );
  }

  progressAt(latitude: number, longitude: number): Progress {
    const { part, share } = nearestOf(this.#parts, latitude, longitude);
    return {
      alongMeters: part.startMeters + share * part.lengthMeters,
      bearingDeg: bearingBetween(part.from, part.to),
    };
  }
}

/** So that what lies beyond it is further away than the half width on any plane about a place in the box. */
function twiceAsWide({ south, west, north, east }: Box): Box {
  const [up, side] = [(north - south) / 2, (east - west) / 2];
  return { south: south - up, west: west - side, north: north + up, east: east + side };
}

/** On a plane about the place: near to it, where it counts, that is exact. */
function nearestOf(
  parts: readonly Part[],
  latitude: number,
  longitude: number,
  east = eastMetersPerDegree(latitude),
): Nearest {
  let best: Nearest = { part: NO_PART, meters: Number.POSITIVE_INFINITY, share: 0 };
  for (const part of parts) {
    const x1 = (longitudeNear(part.from.longitude, longitude) - longitude) * east;
    const x2 = x1 + (part.to.longitude - part.from.longitude) * east;
    const y1 = (part.from.latitude - latitude) * METERS_PER_DEGREE;
    const y2 = (part.to.latitude - latitude) * METERS_PER_DEGREE;
    const { squared, share } = nearestToOrigin(x1, y1, x2, y2);
    const meters = Math.sqrt(squared);
    if (meters < best.meters) best = { part, meters, share };
  }
  return best;
}

const NOWHERE: Place = { latitude: 0, longitude: 0 };
const NO_PART: Part = { from: NOWHERE, to: NOWHERE, startMeters: 0, lengthMeters: 0 };

function partsOf(coordinates: readonly LngLat[]): readonly Part[] {
  const places = unwound(coordinates).map(([longitude, latitude]) => ({ latitude, longitude }));
  let startMeters = 0;
  return places.slice(1).flatMap((to, at) => {
    const from = places[at];
    if (from === undefined) return [];
    const part = { from, to, startMeters, lengthMeters: metersBetween(from, to) };
    startMeters += part.lengthMeters;
    return [part];
  });
}

function chunksOf(parts: readonly Part[], halfMeters: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < parts.length; start += PARTS_A_CHUNK) {
    const some = parts.slice(start, start + PARTS_A_CHUNK);
    chunks.push({ parts: some, box: boxAround(some, halfMeters) });
  }
  return chunks;
}

/** Grown by the half width, and a little for the rounding. */
function boxAround(parts: readonly Part[], halfMeters: number): Box {
  const places = parts.flatMap(({ from, to }) => [from, to]);
  const latitudes = places.map(({ latitude }) => latitude);
  const longitudes = places.map(({ longitude }) => longitude);
  const grown = halfMeters * 1.001;
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  const up = grown / METERS_PER_DEGREE;
  const widest = Math.max(Math.abs(south), Math.abs(north)) + up;
  const side = grown / Math.max(1, eastMetersPerDegree(Math.min(89.9, widest)));
  return boxOf(south - up, Math.min(...longitudes) - side, north + up, Math.max(...longitudes) + side);
}
