// Selects the points of a stretch that stay in its line (Douglas and Peucker): no point that is left out is further off than the tolerance,
// and the fastest and the slowest of each stretch that became one line stay. Pure.

/** Points in the order of time, on the plane of the map. */
export interface PlanePoints {
  readonly atMs: Float64Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly speedKmh: Float64Array;
}

export interface Accuracy {
  readonly tolerance: number;
  /**
   * `shape`: the distance of a point from the line. `time`: its distance from the line's place at its moment, which is never less: then a
   * marker that moves along the line is right too, and stops are not smoothed away.
   */
  readonly by: 'shape' | 'time';
}

/**
 * Marks in `kept` which of the points from `first` to `last` stay; both ends do. In the worst case the time grows with the square of their
 * number, so long lines have to be passed in parts.
 */
export function simplify(
  points: PlanePoints,
  { first, last }: { readonly first: number; readonly last: number },
  { tolerance, by }: Accuracy,
  kept: Uint8Array,
): void {
  const furthest = by === 'time' ? furthestByTime : furthestByShape;
  kept[first] = 1;
  kept[last] = 1;
  const squared = tolerance * tolerance;
  // Ends of stretches, and whether the fastest and the slowest point around them already stay.
  const pending: number[] = [first, last, 0];
  while (pending.length > 0) {
    const isSpeedKept = pending.pop() as number;
    const end = pending.pop() as number;
    const begin = pending.pop() as number;
    if (end - begin < 2) continue;
    const far = furthest(points, begin, end, squared);
    if (far >= 0) {
      kept[far] = 1;
      pending.push(begin, far, isSpeedKept, far, end, isSpeedKept);
      continue;
    }
    if (isSpeedKept === 1) continue;
    findExtremes(points.speedKmh, begin, end);
    const [first, second] = EXTREMES;
    if (first < 0 && second < 0) continue;
    // The stretches in between need no further speeds, and their shape may differ from that of the whole.
    const one = first < 0 ? second : first;
    const other = second < 0 ? first : second;
    kept[one] = 1;
    kept[other] = 1;
    pending.push(begin, one, 1, one, other, 1, other, end, 1);
  }
}

/** Result of `findExtremes`, in order; -1 for none. A list for each stretch would be most of a line's garbage. */
const EXTREMES: [number, number] = [-1, -1];

/** The point that is furthest from the place between the ends at its moment; -1 where none is further than the tolerance. */
function furthestByTime({ atMs, x, y }: PlanePoints, begin: number, end: number, squaredTolerance: number): number {
  const [ms0, x0, y0] = [atMs[begin] as number, x[begin] as number, y[begin] as number];
  const lastsMs = (atMs[end] as number) - ms0;
  const dx = lastsMs > 0 ? ((x[end] as number) - x0) / lastsMs : 0;
  const dy = lastsMs > 0 ? ((y[end] as number) - y0) / lastsMs : 0;
  let most = squaredTolerance;
  let found = -1;
  for (let at = begin + 1; at < end; at++) {
    const sinceMs = (atMs[at] as number) - ms0;
    const offX = (x[at] as number) - x0 - sinceMs * dx;
    const offY = (y[at] as number) - y0 - sinceMs * dy;
    const squared = offX * offX + offY * offY;
    if (squared > most) {
      most = squared;
      found = at;
    }
  }
  return found;
}

/** The same, with the distance from the line as a whole. */
function furthestByShape({ x, y }: PlanePoints, begin: number, end: number, squaredTolerance: number): number {
  const x0 = x[begin] as number;
  const y0 = y[begin] as number;
  const dx = (x[end] as number) - x0;
  const dy = (y[end] as number) - y0;
  const squaredLength = dx * dx + dy * dy;
  let most = squaredTolerance;
  let found = -1;
  for (let at = begin + 1; at < end; at++) {
    const px = (x[at] as number) - x0;
    const py = (y[at] as number) - y0;
    const along = px * dx + py * dy;
    let squared: number;
    if (along <= 0) squared = px * px + py * py;
    else if (along >= squaredLength) squared = (px - dx) * (px - dx) + (py - dy) * (py - dy);
    else squared = ((px * dy - py * dx) * (px * dy - py * dx)) / squaredLength;
    if (squared > most) {
      most = squared;
      found = at;
    }
  }
  return found;
}

/** Finds the fastest and the slowest point between the ends, in order, where they exceed both ends. */
function findExtremes(speedKmh: Float64Array, begin: number, end: number): void {
  const first = speedKmh[begin] as number;
  const last = speedKmh[end] as number;
  // An end with an unknown speed doesn't count.
  let highest = Math.max(orElse(first, Number.NEGATIVE_INFINITY), orElse(last, Number.NEGATIVE_INFINITY));
  let lowest = Math.min(orElse(first, Number.POSITIVE_INFINITY), orElse(last, Number.POSITIVE_INFINITY));
  let fastest = -1;
  let slowest = -1;
  for (let at = begin + 1; at < end; at++) {
    const speed = speedKmh[at] as number;
    if (speed > highest) {
      highest = speed;
      fastest = at;
    }
    if (speed < lowest) {
      lowest = speed;
      slowest = at;
    }
  }
  EXTREMES[0] = Math.min(fastest, slowest);
  EXTREMES[1] = Math.max(fastest, slowest);
}

function orElse(speedKmh: number, unknown: number): number {
  return Number.isNaN(speedKmh) ? unknown : speedKmh;
}
