import type { PlanePoints } from './simplify.ts';

/** Points of a line by columns, which grow. Longitudes are as reported; `x` continues across the antimeridian. */
export class LinePoints implements PlanePoints {
  count = 0;
  atMs: Float64Array;
  lat: Float64Array;
  lng: Float64Array;
  x: Float64Array;
  y: Float64Array;
  speedKmh: Float64Array;
  headingDeg: Float64Array;
  /** 1: the point comes after a gap. */
  isAfterGap: Uint8Array;

  constructor(size = FIRST_SIZE) {
    const column = (): Float64Array => new Float64Array(size);
    [this.atMs, this.lat, this.lng, this.x, this.y] = [column(), column(), column(), column(), column()];
    [this.speedKmh, this.headingDeg] = [column(), column()];
    this.isAfterGap = new Uint8Array(size);
  }

  /** Index of a new point, which the caller fills: this runs for each position, and an object for each would take as long again. */
  next(): number {
    this.#makeRoom();
    return this.count++;
  }

  // Column by column: a loop over their names takes several times as long.
  /** Takes a point from another line, or from a later index of this one. */
  take(from: LinePoints, at: number): void {
    this.#makeRoom();
    const to = this.count++;
    this.atMs[to] = from.atMs[at] as number;
    this.lat[to] = from.lat[at] as number;
    this.lng[to] = from.lng[at] as number;
    this.x[to] = from.x[at] as number;
    this.y[to] = from.y[at] as number;
    this.speedKmh[to] = from.speedKmh[at] as number;
    this.headingDeg[to] = from.headingDeg[at] as number;
    this.isAfterGap[to] = from.isAfterGap[at] as number;
  }

  #makeRoom(): void {
    if (this.count < this.atMs.length) return;
    const column = (from: Float64Array): Float64Array => grown(from, new Float64Array(2 * this.count));
    [this.atMs, this.lat, this.lng] = [column(this.atMs), column(this.lat), column(this.lng)];
    [this.x, this.y] = [column(this.x), column(this.y)];
    [this.speedKmh, this.headingDeg] = [column(this.speedKmh), column(this.headingDeg)];
    this.isAfterGap = grown(this.isAfterGap, new Uint8Array(2 * this.count));
  }
}

const FIRST_SIZE = 1_024;

function grown<List extends Float64Array | Uint8Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
