// GPX 1.1, with speed and course in Garmin's extension, which most programs read. Pure.
import { isoTime, type TrackFormat } from './trackFile.ts';
import { escapeXml } from './trackXml.ts';

const KMH_PER_MPS = 3.6;

export const gpx: TrackFormat = {
  begin: (name) =>
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fleetglass" xmlns="http://www.topografix.com/GPX/1/1" ' +
    'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n' +
    `<trk><name>${escapeXml(name)}</name>\n`,
  beginSegment: '<trkseg>\n',
  point: ({ lat, lng, altitudeM, atMs, speedKmh, headingDeg }) => {
    const elevation = altitudeM === null ? '' : `<ele>${altitudeM}</ele>`;
    const speed = speedKmh === null ? '' : `<gpxtpx:speed>${(speedKmh / KMH_PER_MPS).toFixed(2)}</gpxtpx:speed>`;
    const course = headingDeg === null ? '' : `<gpxtpx:course>${headingDeg}</gpxtpx:course>`;
    const extensions =
      speed === '' && course === ''
        ? ''
        : `<extensions><gpxtpx:TrackPointExtension>${speed}${course}</gpxtpx:TrackPointExtension></extensions>`;
    // The antimeridian is at -180: the schema has no 180.
    const place = `lat="${lat}" lon="${lng === 180 ? -180 : lng}"`;
    return `<trkpt ${place}>${elevation}<time>${isoTime(atMs)}</time>${extensions}</trkpt>\n`;
  },
  endSegment: '</trkseg>\n',
  end: '</trk></gpx>\n',
};
