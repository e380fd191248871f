import {
  EARTH_RADIUS_METERS,
  eastMetersPerDegree,
  longitudeNear,
  METERS_PER_DEGREE,
  metersBetween,
  type Place,
} from './earth.ts';
import { nearestToOrigin } from './segments.ts';
import { type Box, boxOf, isInBox, middleOfBox, reachMeters, type Shape } from './shape.ts';

/** What rounding may move the border. */
const MARGIN_METERS = 0.05;

export class Circle implements Shape {
  readonly box: Box;
  readonly #center: Place;
  readonly #radiusMeters: number;

  constructor(center: Place, radiusMeters: number) {
    this.#center = center;
    this.#radiusMeters = radiusMeters;
    this.box = boxAround(center, radiusMeters);
  }

  contains(latitude: number, longitude: number): boolean {
    return isInBox(this.box, latitude, longitude) && this.#metersTo(latitude, longitude) <= this.#radiusMeters;
  }

  borderMeters(latitude: number, longitude: number): number {
    return Math.abs(this.#metersTo(latitude, longitude) - this.#radiusMeters);
  }

  isCrossed(from: Place, to: Place): boolean {
    const { latitude, longitude } = this.#center;
    const east = eastMetersPerDegree(latitude);
    const x = (place: Place): number => (longitudeNear(place.longitude, longitude) - longitude) * east;
    const y = (place: Place): number => (place.latitude - latitude) * METERS_PER_DEGREE;
    return nearestToOrigin(x(from), y(from), x(to), y(to)).squared <= this.#radiusMeters * this.#radiusMeters;
  }

  isBorderIn(box: Box): boolean {
    const middle = middleOfBox(box);
    const meters = this.#metersTo(middle.latitude, middle.longitude);
    // No place of the box is further from its middle than this: a degree of longitude is nowhere in it longer.
    const reach = reachMeters(box, eastMetersPerDegree(nearestToEquator(box))) + MARGIN_METERS;
    if (meters + reach < this.#radiusMeters) return false;
    if (meters - reach < this.#radiusMeters) return true;
    // Ways are judged on the plane about the circle's middle: there the box has to be outside too.
    const east = eastMetersPerDegree(this.#center.latitude);
    const x = (longitudeNear(middle.longitude, this.#center.longitude) - this.#center.longitude) * east;
    const y = (middle.latitude - this.#center.latitude) * METERS_PER_DEGREE;
    return Math.hypot(x, y) - reachMeters(box, east) - MARGIN_METERS < this.#radiusMeters;
  }

  #metersTo(latitude: number, longitude: number): number {
    return metersBetween(this.#center, { latitude, longitude });
  }
}

function nearestToEquator({ south, north }: Box): number {
  if (south <= 0 && north >= 0) return 0;
  return Math.min(Math.abs(south), Math.abs(north));
}

/** Grown a little, so that rounding leaves nothing out. */
function boxAround({ latitude, longitude }: Place, radiusMeters: number): Box {
  const angle = (radiusMeters * 1.000_001) / EARTH_RADIUS_METERS;
  const north = (angle * 180) / Math.PI;
  const [top, bottom] = [latitude + north, latitude - north];
  if (top >= 90 || bottom <= -90)
    return { south: Math.max(-90, bottom), west: -180, north: Math.min(90, top), east: 180 };
  const east = (Math.asin(Math.min(1, Math.sin(angle) / Math.cos((latitude * Math.PI) / 180))) * 180) / Math.PI;
  return boxOf(bottom, longitude - east, top, longitude + east);
}
