// Of the positions of each moment the one that counts, whatever order they came in. Pure.
import { comparePoints, type TrackPoint } from '../trips/trackPoint.ts';

export class DistinctPoints {
  readonly #byTime = new Map<number, TrackPoint>();

  add(point: TrackPoint): void {
    const other = this.#byTime.get(point.atMs);
    if (other === undefined || comparePoints(point, other) < 0) this.#byTime.set(point.atMs, point);
  }

  /** In the order of time. */
  sorted(): TrackPoint[] {
    return [...this.#byTime.values()].sort((left, right) => left.atMs - right.atMs);
  }
}
