// GeoJSON (RFC 7946): each position as a point with all that was reported, and lines that connect them.
import { TRACK_GAP_MS, type TrackPoint } from '../../../shared/protocol/api/tracks/track.ts';
import { isoTime, type TrackContent } from './trackFile.ts';

type Coordinates = readonly [lng: number, lat: number, altitudeM?: number];

/** A line ends with the part that was read together, and the next one continues from its last point. */
export async function* geojson({ name, parts }: TrackContent): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[\n';
  let separator = '';
  let line: Coordinates[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for await (const points of parts) {
    const features: string[] = [];
    const endLine = (): void => {
      if (line.length > 1) features.push(feature({ type: 'LineString', coordinates: line }, { name }));
      line = [];
    };
    for (const point of points) {
      if (!point.hasFix || point.atMs - lastMs > TRACK_GAP_MS) endLine();
      if (point.hasFix) {
        line.push(coordinatesOf(point));
        lastMs = point.atMs;
      }
      features.push(pointFeature(point));
    }
    const last = line.at(-1);
    endLine();
    if (last !== undefined) line = [last];
    if (features.length === 0) continue;
    yield `${separator}${features.join(',\n')}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

function coordinatesOf({ lng, lat, altitudeM }: TrackPoint): Coordinates {
  return altitudeM === null ? [lng, lat] : [lng, lat, altitudeM];
}

function pointFeature(point: TrackPoint): string {
  const { lat, lng, atMs, deviceTimeMs, receivedAtMs, ...reported } = point;
  // Positions without a place are included: they are counted by what was reported.
  const geometry = point.hasFix ? { type: 'Point', coordinates: coordinatesOf(point) } : null;
  return feature(geometry, {
    time: isoTime(atMs),
    deviceTime: isoTime(deviceTimeMs),
    receivedAt: isoTime(receivedAtMs),
    ...reported,
  });
}

function feature(geometry: object | null, properties: object): string {
  return JSON.stringify({ type: 'Feature', geometry, properties });
}
