import type { PlanePoints } from './simplify.ts';

const NUMBERS = ['atMs', 'lat', 'lng', 'x', 'y', 'speedKmh', 'headingDeg'] as const;
type Numbers = (typeof NUMBERS)[number];

export type LinePoint = Readonly<Record<Numbers, number>>;

/** Points of a line by columns, which grow. Longitudes are as reported; `x` goes on across the antimeridian. */
export class LinePoints implements PlanePoints {
  count = 0;
  atMs = new Float64Array(FIRST_SIZE);
  lat = new Float64Array(FIRST_SIZE);
  lng = new Float64Array(FIRST_SIZE);
  x = new Float64Array(FIRST_SIZE);
  y = new Float64Array(FIRST_SIZE);
  speedKmh = new Float64Array(FIRST_SIZE);
  headingDeg = new Float64Array(FIRST_SIZE);
  /** 1: comes after a gap. */
  isAfterGap = new Uint8Array(FIRST_SIZE);

  add(point: LinePoint, isAfterGap: boolean): void {
    this.#makeRoom();
    for (const name of NUMBERS) this[name][this.count] = point[name];
    this.isAfterGap[this.count++] = isAfterGap ? 1 : 0;
  }

  /** From another line, or from further behind in this one. */
  take(from: LinePoints, at: number): void {
    this.#makeRoom();
    const to = this.count++;
    for (const name of NUMBERS) this[name][to] = from[name][at] as number;
    this.isAfterGap[to] = from.isAfterGap[at] as number;
  }

  #makeRoom(): void {
    if (this.count < this.atMs.length) return;
    for (const name of NUMBERS) this[name] = grown(this[name], new Float64Array(2 * this.count));
    this.isAfterGap = grown(this.isAfterGap, new Uint8Array(2 * this.count));
  }
}

const FIRST_SIZE = 1_024;

function grown<List extends Float64Array | Uint8Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
