// Polygons and rectangles: one ring, by the even-odd rule, with straight edges in longitude and latitude.
import type { LngLat } from '../../../shared/protocol/api/fences/fences.ts';
import { eastMetersPerDegree, longitudeNear, METERS_PER_DEGREE, type Place } from './earth.ts';
import { doCross, nearestToOrigin, type Segment, sideOf } from './segments.ts';
import { type Box, boxNear, boxOf, doOverlap, longitudeIn, type Shape } from './shape.ts';

const VERTICES_A_BAND = 4;
const MAX_BANDS = 256;
const MOST_WIDE_DEGREES = 350;

/** The edges that a parallel may meet, by bands of latitude. An array for each band took more memory than all vertices. */
interface Bands {
  readonly count: number;
  readonly perDegree: number;
  /** The edges of all bands, one band behind the other. */
  readonly edges: Int32Array;
  /** Where each band begins in `edges`, and where the last one ends. */
  readonly starts: Int32Array;
}

export class Ring implements Shape {
  readonly box: Box;
  /** One behind the other, however often it is wound across the antimeridian; the first one again at the end. */
  readonly #longitudes: Float64Array;
  readonly #latitudes: Float64Array;
  readonly #bands: Bands;

  /** `coordinates`: closed, or not. */
  constructor(coordinates: readonly LngLat[]) {
    const vertices = unwound(closed(coordinates));
    const longitudes = vertices.map(([longitude]) => longitude);
    this.#latitudes = Float64Array.from(vertices, ([, latitude]) => latitude);
    const west = Math.min(...longitudes);
    const box = boxOf(Math.min(...this.#latitudes), west, Math.max(...this.#latitudes), Math.max(...longitudes));
    const turned = box.west - west;
    this.#longitudes = Float64Array.from(longitudes, (longitude) => longitude + turned);
    this.box = box;
    this.#bands = this.#makeBands();
  }

  contains(latitude: number, longitude: number): boolean {
    const { south, north, west, east } = this.box;
    if (latitude < south || latitude > north) return false;
    const x = longitudeIn(this.box, longitude);
    if (x < west || x > east) return false;
    const [longitudes, latitudes] = [this.#longitudes, this.#latitudes];
    const { edges, starts } = this.#bands;
    const band = this.#bandOf(latitude);
    const end = starts[band + 1] as number;
    let isInside = false;
    for (let at = starts[band] as number; at < end; at++) {
      const edge = edges[at] as number;
      const [y1, y2] = [latitudes[edge] as number, latitudes[edge + 1] as number];
      if (y1 > latitude === y2 > latitude) continue;
      const [x1, x2] = [longitudes[edge] as number, longitudes[edge + 1] as number];
      if (x < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
    return isInside;
  }

  borderMeters(latitude: number, longitude: number): number {
    const x = longitudeNear(longitude, (this.box.west + this.box.east) / 2);
    const east = eastMetersPerDegree(latitude);
    let least = Number.POSITIVE_INFINITY;
    for (let edge = 0; edge < this.#edgeCount; edge++) {
      const { x1, y1, x2, y2 } = this.#edge(edge);
      const { squared } = nearestToOrigin(
        (x1 - x) * east,
        (y1 - latitude) * METERS_PER_DEGREE,
        (x2 - x) * east,
        (y2 - latitude) * METERS_PER_DEGREE,
      );
      if (squared < least) least = squared;
    }
    return Math.sqrt(least);
  }

  isCrossed(from: Place, to: Place): boolean {
    const x1 = longitudeNear(from.longitude, (this.box.west + this.box.east) / 2);
    const way = { x1, y1: from.latitude, x2: longitudeNear(to.longitude, x1), y2: to.latitude };
    const [south, north] = way.y1 < way.y2 ? [way.y1, way.y2] : [way.y2, way.y1];
    return this.#hasEdge(south, north, (edge) => doCross(way, edge));
  }

  isBorderIn(box: Box): boolean {
    // Around the earth, there would be two places to look at.
    if (this.box.east - this.box.west > MOST_WIDE_DEGREES) return true;
    const near = boxNear(box, this.box);
    if (!doOverlap(near, this.box)) return false;
    return this.#hasEdge(near.south, near.north, (edge) => isEdgeIn(near, edge));
  }

  /** Asks of each edge that leads through these latitudes, of some more than once, and of few others. */
  #hasEdge(south: number, north: number, isWanted: (edge: Segment) => boolean): boolean {
    if (north < this.box.south || south > this.box.north) return false;
    const { edges, starts } = this.#bands;
    const end = starts[this.#bandOf(north) + 1] as number;
    for (let at = starts[Math.max(0, this.#bandOf(south))] as number; at < end; at++) {
      if (isWanted(this.#edge(edges[at] as number))) return true;
    }
    return false;
  }

  get #edgeCount(): number {
    return this.#latitudes.length - 1;
  }

  #edge(at: number) {
    const [longitudes, latitudes] = [this.#longitudes, this.#latitudes];
    return {
      x1: longitudes[at] as number,
      y1: latitudes[at] as number,
      x2: longitudes[at + 1] as number,
      y2: latitudes[at + 1] as number,
    };
  }

  #bandOf(latitude: number): number {
    return bandAt(latitude, this.box, this.#bands);
  }

  #makeBands(): Bands {
    const count = Math.min(MAX_BANDS, Math.max(1, Math.floor(this.#edgeCount / VERTICES_A_BAND)));
    const height = this.box.north - this.box.south;
    const bands = { count, perDegree: height === 0 ? 0 : count / height };
    const edges: number[][] = Array.from({ length: count }, () => []);
    for (let edge = 0; edge < this.#edgeCount; edge++) {
      const { y1, y2 } = this.#edge(edge);
      const last = bandAt(Math.max(y1, y2), this.box, bands);
      for (let at = bandAt(Math.min(y1, y2), this.box, bands); at <= last; at++) edges[at]?.push(edge);
    }
    const starts = new Int32Array(count + 1);
    edges.forEach((band, at) => {
      starts[at + 1] = (starts[at] as number) + band.length;
    });
    return { ...bands, edges: Int32Array.from(edges.flat()), starts };
  }
}

/** Not if it is on one side, or has the box on one side of it. */
function isEdgeIn({ south, west, north, east }: Box, edge: Segment): boolean {
  const { x1, y1, x2, y2 } = edge;
  if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) return false;
  if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) return false;
  const isLeft = sideOf(edge, west, south) > 0;
  return (
    sideOf(edge, east, south) > 0 !== isLeft ||
    sideOf(edge, east, north) > 0 !== isLeft ||
    sideOf(edge, west, north) > 0 !== isLeft
  );
}

function bandAt(latitude: number, { south }: Box, { count, perDegree }: Pick<Bands, 'count' | 'perDegree'>): number {
  return Math.min(count - 1, Math.floor((latitude - south) * perDegree));
}

function closed(coordinates: readonly LngLat[]): readonly LngLat[] {
  const [first, last] = [coordinates[0], coordinates.at(-1)];
  if (first === undefined || last === undefined || (first[0] === last[0] && first[1] === last[1])) return coordinates;
  return [...coordinates, first];
}

/** Without a jump at the antimeridian: each within half a turn of the one before. */
export function unwound(coordinates: readonly LngLat[]): readonly LngLat[] {
  let before = coordinates[0]?.[0] ?? 0;
  return coordinates.map(([longitude, latitude]): LngLat => {
    before = longitudeNear(longitude, before);
    return [before, latitude];
  });
}
