// Builds the line of a track while its positions are read: it holds what will be drawn, and a part of the input.
import { TRACK_GAP_MS } from '../../../shared/protocol/api/tracks/track.ts';
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import type { TrackField } from '../trackReading.ts';
import type { TimedColumns } from './gatewayOrder.ts';
import { LinePoints } from './linePoints.ts';
import { MercatorCourse, nearestTurn } from './mercator.ts';
import { type Accuracy, simplify } from './simplify.ts';

export const LINE_FIELDS = [
  'latitude',
  'longitude',
  'speedKmh',
  'headingDeg',
  'statusBits',
] as const satisfies readonly TrackField[];
export type LineColumns = TimedColumns<(typeof LINE_FIELDS)[number]>;

export interface LineOptions {
  /** Maximum error of a drawn line, in degrees of longitude at the equator. 0: every point stays, as long as there is room. */
  readonly tolerance: number;
  /** Points of the line; at least 2. */
  readonly most: number;
}

/** Points that are simplified at once: some milliseconds in the worst case, which grows with the square of their number. */
const PART_POINTS = 2_048;
/** One centimeter: the first tolerance that is tried where none was given. */
const LEAST_TOLERANCE = 1e-7;
/** The held line is simplified more coarsely when it has this many times the points that may be drawn. */
const HELD_FOLD = 4;

/** Steps are iterated over, so that the caller can let others have the thread between them. */
export class LineBuilder {
  /** Number of positions that came in, drawn or not. */
  positions = 0;
  /** Whether more points are needed than are allowed. */
  isCoarse = false;
  readonly #asked: number;
  #tolerance: number;
  readonly #most: number;
  /** Points since the last simplified one, which is the first of them. */
  readonly #part = new LinePoints(PART_POINTS);
  /**
   * Line that is accurate at every moment; given up once it has more points than are allowed. By shape alone, a vehicle that stands for
   * twenty minutes on a straight street leaves no point there, and a marker on the line is a kilometer off all that time.
   */
  #timed: LinePoints | undefined = new LinePoints();
  /** Line that is accurate in its shape: drawn where the other one was given up. Made of that one, it would add up the errors of both. */
  #line = new LinePoints();
  /** The next coarser line is built here; its memory is reused. */
  #spare = new LinePoints();
  #isAfterLostFix = false;
  readonly #mercator = new MercatorCourse();

  constructor({ tolerance, most }: LineOptions) {
    this.#asked = tolerance;
    this.#tolerance = tolerance;
    this.#most = Math.max(2, most);
  }

  *add(columns: LineColumns): Generator<void> {
    this.positions += columns.count;
    for (let at = 0; at < columns.count; at++) {
      this.#addOne(columns, at);
      if (this.#part.count < PART_POINTS) continue;
      this.#closePart(true);
      yield;
      if (this.#line.count > HELD_FOLD * this.#most) yield* this.#makeRoom();
    }
  }

  /** Returns the line, once everything is added. */
  *finish(): Generator<void, LinePoints> {
    this.#closePart(false);
    if (this.#timed !== undefined) {
      this.isCoarse = false;
      return this.#timed;
    }
    let before = Number.POSITIVE_INFINITY;
    // Only gaps are left then.
    while (this.#line.count > this.#most && (this.#line.count < before || this.#tolerance < 360)) {
      before = this.#line.count;
      yield* this.#coarsen();
    }
    if (this.#line.count > this.#most) this.#line = thinned(this.#line, this.#most);
    return this.#line;
  }

  *#makeRoom(): Generator<void> {
    yield* this.#coarsen();
    // Many gaps are left where the fix was lost and found all the time.
    if (this.#line.count > HELD_FOLD * this.#most) this.#line = thinned(this.#line, 2 * this.#most);
  }

  #addOne(columns: LineColumns, at: number): void {
    const lat = columns.latitude[at] as number;
    const lng = columns.longitude[at] as number;
    if (!hasPlace(columns.statusBits[at] as number, lat, lng)) {
      this.#isAfterLostFix = this.#part.count > 0;
      return;
    }
    const atMs = columns.atMs[at] as number;
    const last = this.#part.count - 1;
    const lastMs = last < 0 ? atMs : (this.#part.atMs[last] as number);
    // A terminal repeats a position for which it got no answer.
    if (last >= 0 && atMs === lastMs && lat === this.#part.lat[last] && lng === this.#part.lng[last]) return;
    const isAfterGap = last >= 0 && (this.#isAfterLostFix || atMs - lastMs > TRACK_GAP_MS);
    this.#isAfterLostFix = false;
    const x = last < 0 ? lng : nearestTurn(lng, this.#part.x[last] as number);
    if (isAfterGap) this.#closePart(false);
    const part = this.#part;
    const to = part.next();
    part.atMs[to] = atMs;
    part.lat[to] = lat;
    part.lng[to] = lng;
    part.x[to] = x;
    part.y[to] = this.#mercator.y(lat);
    part.speedKmh[to] = columns.speedKmh[at] as number;
    part.headingDeg[to] = columns.headingDeg[at] as number;
    part.isAfterGap[to] = isAfterGap ? 1 : 0;
  }

  /** `goesOn`: its last point is the first of the next part. */
  #closePart(goesOn: boolean): void {
    const part = this.#part;
    if (part.count === 0) return;
    const end = goesOn ? part.count - 1 : part.count;
    if (this.#timed !== undefined) {
      // Stepping from point to point also needs the points that are where they would be expected.
      if (this.#asked === 0) for (let at = 0; at < end; at++) this.#timed.take(part, at);
      else takeSimplified(this.#timed, part, end, { tolerance: this.#asked, by: 'time' });
      if (this.#timed.count > this.#most) this.#timed = undefined;
    }
    takeSimplified(this.#line, part, end, { tolerance: this.#tolerance, by: 'shape' });
    const last = part.count - 1;
    part.count = 0;
    if (goesOn) part.take(part, last);
  }

  /** Simplifies again, with twice the tolerance. */
  *#coarsen(): Generator<void> {
    this.isCoarse = true;
    this.#tolerance = Math.max(2 * this.#tolerance, LEAST_TOLERANCE);
    const from = this.#line;
    this.#line = this.#spare;
    this.#line.count = 0;
    this.#spare = from;
    const kept = new Uint8Array(from.count);
    for (let first = 0; first < from.count; ) {
      const last = lastOfPart(from, first);
      simplify(from, { first, last }, { tolerance: this.#tolerance, by: 'shape' }, kept);
      // Both parts have the point between them, unless there is a gap.
      const isEnd = last === from.count - 1 || from.isAfterGap[last + 1] === 1;
      for (let at = first; at < (isEnd ? last + 1 : last); at++) if (kept[at] === 1) this.#line.take(from, at);
      first = isEnd ? last + 1 : last;
      yield;
    }
  }
}

/** A terminal that has never had a fix reports zeros, whatever its status is. */
export function hasPlace(statusBits: number, latitude: number, longitude: number): boolean {
  if (latitude === 0 && longitude === 0) return false;
  return hasBit(statusBits, StatusBit.Fixed) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

/** Takes the points that stay, from those before `end`; the part is simplified up to its last point all the same. */
function takeSimplified(line: LinePoints, part: LinePoints, end: number, accuracy: Accuracy): void {
  const kept = new Uint8Array(part.count);
  simplify(part, { first: 0, last: part.count - 1 }, accuracy, kept);
  for (let at = 0; at < end; at++) if (kept[at] === 1) line.take(part, at);
}

function lastOfPart({ count, isAfterGap }: LinePoints, first: number): number {
  let last = first;
  while (last + 1 < count && last - first < PART_POINTS && isAfterGap[last + 1] !== 1) last++;
  return last;
}

/** Thins the line evenly, keeping both ends. */
function thinned(from: LinePoints, most: number): LinePoints {
  const line = new LinePoints();
  const step = (from.count - 1) / (most - 1);
  let seen = 0;
  for (let at = 0; at < most; at++) {
    const next = Math.round(at * step);
    line.take(from, next);
    const isAfterGap = from.isAfterGap.subarray(seen + 1, next + 1).includes(1);
    if (at > 0) line.isAfterGap[at] = isAfterGap ? 1 : 0;
    seen = next;
  }
  return line;
}
