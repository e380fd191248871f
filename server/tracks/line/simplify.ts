// Which points of a stretch stay for its line to be drawn (Douglas and Peucker): none that are left out are further off than the
// tolerance, and the fastest and the slowest of each stretch that became one line stay. Pure.

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
   * `shape`: how far a point is from the line. `time`: how far it is from where the line is at its moment, which is never less: a marker
   * that runs along the line is right too, and where it stood is not smoothed away.
   */
  readonly by: 'shape' | 'time';
}

/**
 * Marks in `kept` which of the points from `first` to `last` stay; both ends do. In the worst case the time grows with the square of
 * their number, so that long lines are given in parts.
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
  // Ends of stretches, and whether the fastest and the slowest around them stay already.
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
    // What lies between needs no speeds any more, and its shape may be another than that of the whole.
    const one = first < 0 ? second : first;
    const other = second < 0 ? first : second;
    kept[one] = 1;
    kept[other] = 1;
    pending.push(begin, one, 1, one, other, 1, other, end, 1);
  }
}

/** Where `findExtremes` leaves what it has found, in order; -1 for none. A list for each stretch would be most of a line's garbage. */
const EXTREMES: [number, number] = [-1, -1];

/** The point that is furthest from where the line between the ends is at its moment; -1 where none is further than the tolerance. */
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

/** Likewise, from the line as a whole. */
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

/** The fastest and the slowest point between the ends, in their order, where they are more so than both. */
function findExtremes(speedKmh: Float64Array, begin: number, end: number): void {
  const first = speedKmh[begin] as number;
  const last = speedKmh[end] as number;
  // An end whose speed isn't known says nothing.
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
