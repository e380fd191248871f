// Selects the position of each moment that counts, whatever order they came in. Pure.
import { comparePoints, type TrackPoint } from '../trips/trackPoint.ts';

export class DistinctPoints {
  #points: TrackPoint[] = [];
  #isSorted = true;

  /** Adds a point. Nearly all come in order. */
  add(point: TrackPoint): void {
    const last = this.#points.at(-1);
    if (last !== undefined && last.atMs >= point.atMs) this.#isSorted = false;
    this.#points.push(point);
  }

  /** The points in the order of time. */
  sorted(): TrackPoint[] {
    if (!this.#isSorted) {
      const points = this.#points.sort(comparePoints);
      this.#points = points.filter(({ atMs }, at) => points[at - 1]?.atMs !== atMs);
      this.#isSorted = true;
    }
    return this.#points;
  }
}
