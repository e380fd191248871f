// A track as GPX 1.1, which maps and route planners read. Pure.
import type { Position } from '../../../store/fleet/positions.ts';

type TrackPoint = Pick<Position, 'deviceTimeMs' | 'latitude' | 'longitude' | 'altitudeM'>;

/** Points without a place are left out: zeros would lie in the sea. */
export function trackGpx(name: string, points: readonly TrackPoint[]): string {
  const placed = points.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  const rows = placed.map(({ latitude, longitude, altitudeM, deviceTimeMs }) => {
    const elevation = altitudeM === undefined ? '' : `<ele>${altitudeM}</ele>`;
    const time = new Date(deviceTimeMs).toISOString();
    return `<trkpt lat="${latitude}" lon="${longitude}">${elevation}<time>${time}</time></trkpt>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Fleetglass" xmlns="http://www.topografix.com/GPX/1/1">',
    `<trk><name>${escapeXml(name)}</name><trkseg>`,
    ...rows,
    '</trkseg></trk></gpx>',
    '',
  ].join('\n');
}

/** Control characters have no place in XML at all. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
