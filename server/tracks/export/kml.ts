// KML 2.2 with Google's tracks, whose points have times. Pure.
import { isoTime, type TrackFormat } from './trackFile.ts';
import { escapeXml } from './trackXml.ts';

export const kml: TrackFormat = {
  begin: (name) =>
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n' +
    `<Document><Placemark><name>${escapeXml(name)}</name><gx:MultiTrack><altitudeMode>clampToGround</altitudeMode>\n`,
  beginSegment: '<gx:Track>\n',
  // Each moment is beside its place, like in Google's own exports: a file that is written while it is read can't hold them apart. The
  // altitude may be left out.
  point: ({ lat, lng, altitudeM, atMs }) =>
    `<when>${isoTime(atMs)}</when><gx:coord>${lng} ${lat}${altitudeM === null ? '' : ` ${altitudeM}`}</gx:coord>\n`,
  endSegment: '</gx:Track>\n',
  end: '</gx:MultiTrack></Placemark></Document></kml>\n',
};
