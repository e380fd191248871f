// A track as a file for maps and route planners, piece by piece: written parts are forgotten.
import { TRACK_GAP_MS, type TrackPoint } from '../../../shared/protocol/api/tracks/track.ts';

/** The parts in the order of the file: `beginSegment` comes before the segment's points, and `endSegment` after them. */
export interface TrackFormat {
  /** `name`: the track's name, as somebody typed it. */
  readonly begin: (name: string) => string;
  readonly beginSegment: string;
  /** The point has a place. */
  readonly point: (point: TrackPoint) => string;
  readonly endSegment: string;
  readonly end: string;
}

export interface TrackContent {
  readonly name: string;
  readonly parts: AsyncIterable<readonly TrackPoint[]>;
}

/** Points without a fix are left out; points on either side of them, or of a long silence, aren't connected. */
export async function* trackFile(format: TrackFormat, { name, parts }: TrackContent): AsyncGenerator<string> {
  yield format.begin(name);
  let lastMs: number | undefined;
  for await (const points of parts) {
    let text = '';
    for (const point of points) {
      const isLost = lastMs !== undefined && (!point.hasFix || point.atMs - lastMs > TRACK_GAP_MS);
      if (isLost) {
        text += format.endSegment;
        lastMs = undefined;
      }
      if (!point.hasFix) continue;
      if (lastMs === undefined) text += format.beginSegment;
      text += format.point(point);
      lastMs = point.atMs;
    }
    yield text;
  }
  yield `${lastMs === undefined ? '' : format.endSegment}${format.end}`;
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
