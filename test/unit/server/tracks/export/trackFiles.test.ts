import { gpx as readGpx, kml as readKml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { geojson } from '../../../../../server/tracks/export/geojson.ts';
import { gpx } from '../../../../../server/tracks/export/gpx.ts';
import { kml } from '../../../../../server/tracks/export/kml.ts';
import { csvCellsOf, offsetReader, zonedTime } from '../../../../../server/tracks/export/trackCells.ts';
import { trackFile } from '../../../../../server/tracks/export/trackFile.ts';
import type { TrackPoint } from '../../../../../shared/protocol/api/tracks/track.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { wallClockMs } from '../../../../../shared/protocol/timeZones.ts';
import { gpxFaults } from '../../../../support/tracks/gpxFaults.ts';

const START = Date.UTC(2026, 10, 23, 8);
const NAME = 'BUS1 <b>&"\u0001\ud800 公車';
const SHOWN_NAME = 'BUS1 <b>&"\ufffd\ufffd 公車';

const point = (seconds: number, lng: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  atMs: wallMs(START + seconds * 1_000),
  deviceTimeMs: wallMs(START + seconds * 1_000 - 420_000),
  receivedAtMs: wallMs(START + seconds * 1_000 + 500),
  isLate: false,
  hasFix: true,
  lat: 52.5,
  lng,
  altitudeM: 34,
  speedKmh: 36,
  headingDeg: 90,
  ignitionOn: true,
  alarmBits: 0,
  mileageKm: null,
  fuelLiters: 12.5,
  cabinCelsius: null,
  signal: null,
  ...more,
});

/** A tunnel, and a silence of an hour. */
const POINTS = [
  point(0, 13),
  point(5, 13.1),
  point(10, 13.1, { hasFix: false }),
  point(15, 13.2),
  point(20, 13.3),
  point(3_620, 13.4),
  point(3_625, 13.5),
];

async function* partsOf(points: readonly TrackPoint[], size = 2) {
  for (let at = 0; at < points.length; at += size) yield points.slice(at, at + size);
}

async function textOf(texts: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const text of texts) all += text;
  return all;
}

function parse(text: string): Document {
  const onError = (level: string, message: string): void => {
    // It warns of the characters that stand for those that a file cannot have.
    if (level !== 'warning') throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(text, 'text/xml') as unknown as Document;
}

const SEGMENTS = [
  [
    [13, 52.5, 34],
    [13.1, 52.5, 34],
  ],
  [
    [13.2, 52.5, 34],
    [13.3, 52.5, 34],
  ],
  [
    [13.4, 52.5, 34],
    [13.5, 52.5, 34],
  ],
];
const TIMES = [
  ['2026-11-23T08:00:00.000Z', '2026-11-23T08:00:05.000Z'],
  ['2026-11-23T08:00:15.000Z', '2026-11-23T08:00:20.000Z'],
  ['2026-11-23T09:00:20.000Z', '2026-11-23T09:00:25.000Z'],
];

describe('files of a track', () => {
  it('GPX is read by another program: name, segments, times and speeds', async () => {
    const text = await textOf(trackFile(gpx, { name: NAME, parts: partsOf(POINTS) }));
    const [track] = readGpx(parse(text)).features;
    expect(track?.geometry).toEqual({ type: 'MultiLineString', coordinates: SEGMENTS });
    expect(track?.properties).toMatchObject({ name: SHOWN_NAME, coordinateProperties: { times: TIMES } });
    expect(text.match(/<gpxtpx:speed>10\.00<\/gpxtpx:speed>/g)).toHaveLength(6);
  });

  it('GPX keeps to the structure of its schema, also at the antimeridian and where there is nothing', async () => {
    const edges = [point(0, 180), point(5, -180), point(10, -0.000001, { altitudeM: -3.5, headingDeg: 359 })];
    for (const points of [POINTS, edges, []]) {
      const text = await textOf(trackFile(gpx, { name: NAME, parts: partsOf(points) }));
      expect(gpxFaults(new DOMParser().parseFromString(text, 'text/xml'))).toEqual([]);
    }
  });

  it('the check of the structure finds what is wrong', () => {
    const faultsIn = (point: string): readonly string[] => {
      const text = `<gpx version="1.1" creator="A" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${point}</trkseg></trk></gpx>`;
      return gpxFaults(new DOMParser().parseFromString(text, 'text/xml'));
    };
    expect(faultsIn('<trkpt lat="1" lon="2"><time>2026-11-23T08:00:00Z</time><ele>3</ele></trkpt>')).toHaveLength(1);
    expect(faultsIn('<trkpt lat="91" lon="180"><ele>1e-7</ele><speed>3</speed></trkpt>')).toHaveLength(5);
    expect(faultsIn('<trkpt lat="1" lon="2"><ele>3</ele></trkpt>')).toEqual([]);
  });

  it('KML is read by another program likewise', async () => {
    const text = await textOf(trackFile(kml, { name: NAME, parts: partsOf(POINTS) }));
    const [track] = readKml(parse(text)).features;
    expect(track?.properties).toMatchObject({ name: SHOWN_NAME, coordinateProperties: { times: TIMES } });
    const lines = SEGMENTS.map((coordinates) => ({ type: 'LineString', coordinates }));
    expect(track?.geometry).toEqual({ type: 'GeometryCollection', geometries: lines });
  });

  it('GeoJSON has every position with what was reported, and lines that join them', async () => {
    const { type, features } = JSON.parse(await textOf(geojson({ name: NAME, parts: partsOf(POINTS) })));
    expect(type).toBe('FeatureCollection');
    const points = features.filter(
      ({ geometry }: { geometry: { type: string } | null }) => geometry?.type !== 'LineString',
    );
    expect(points).toHaveLength(POINTS.length);
    expect(points[2].geometry).toBeNull();
    expect(points[0]).toMatchObject({
      geometry: { type: 'Point', coordinates: [13, 52.5, 34] },
      properties: { time: '2026-11-23T08:00:00.000Z', deviceTime: '2026-11-23T07:53:00.000Z', fuelLiters: 12.5 },
    });
    const lines = features.filter(
      ({ geometry }: { geometry: { type: string } | null }) => geometry?.type === 'LineString',
    );
    expect(lines.map(({ geometry }: { geometry: { coordinates: unknown } }) => geometry.coordinates)).toEqual(SEGMENTS);
  });

  it('GeoJSON goes on with a line where another part begins', async () => {
    const straight = [point(0, 1), point(1, 2), point(2, 3), point(3, 4)];
    const { features } = JSON.parse(await textOf(geojson({ name: '', parts: partsOf(straight, 3) })));
    const lines = features.filter(({ geometry }: { geometry: { type: string } }) => geometry.type === 'LineString');
    const longitudes = lines.map((line: { geometry: { coordinates: number[][] } }) =>
      line.geometry.coordinates.map(([lng]) => lng),
    );
    expect(longitudes).toEqual([
      [1, 2, 3],
      [3, 4],
    ]);
  });

  it.each([gpx, kml])('are whole where there is nothing', async (format) => {
    const text = await textOf(trackFile(format, { name: 'A', parts: partsOf([]) }));
    expect(parse(text).documentElement?.nodeName).toMatch(/gpx|kml/);
  });

  it('are whole where there is nothing, as GeoJSON', async () => {
    expect(JSON.parse(await textOf(geojson({ name: 'A', parts: partsOf([]) })))).toEqual({
      type: 'FeatureCollection',
      features: [],
    });
  });

  it('CSV has its times on the clock of a zone, with the offset', () => {
    const [time, deviceTime, ...rest] = csvCellsOf('Asia/Taipei')(point(5, 13));
    expect([time, deviceTime]).toEqual(['2026-11-23T16:00:05.000+08:00', '2026-11-23T15:53:05.000+08:00']);
    expect(rest).toEqual([
      ...['2026-11-23T16:00:05.500+08:00', '0', '1', 52.5, 13, 34, 36, 90, '1', 0, '', 12.5, '', ''],
    ]);
  });

  it.each(['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Europe/Berlin'])(
    'know the offset of %s at any moment',
    (zone) => {
      const offsetOf = offsetReader(zone);
      for (let atMs = Date.UTC(2026, 0, 1); atMs < Date.UTC(2027, 0, 1); atMs += 7_777_777) {
        expect(offsetOf(atMs)).toBe(wallClockMs(atMs, zone) - atMs);
      }
      expect(zonedTime(0, -12_600_000)).toBe('1969-12-31T20:30:00.000-03:30');
    },
  );
});

it('a file leaves out what the terminal did not know', async () => {
  const unknown = { altitudeM: null, speedKmh: null, headingDeg: null };
  const points = [point(0, 13, unknown), point(5, 13.1)];
  const asGpx = await textOf(trackFile(gpx, { name: 'BUS1', parts: partsOf(points) }));
  expect(gpxFaults(new DOMParser().parseFromString(asGpx, 'text/xml'))).toEqual([]);
  expect(asGpx.match(/<ele>/g)).toHaveLength(1);
  expect(asGpx.match(/<gpxtpx:speed>/g)).toHaveLength(1);
  const asKml = await textOf(trackFile(kml, { name: 'BUS1', parts: partsOf(points) }));
  expect(asKml).toContain('<gx:coord>13 52.5</gx:coord>');
  const collection = JSON.parse(await textOf(geojson({ name: 'BUS1', parts: partsOf(points) })));
  expect(collection.features[0]).toMatchObject({
    geometry: { coordinates: [13, 52.5] },
    properties: { speedKmh: null, headingDeg: null, altitudeM: null },
  });
  expect(csvCellsOf('UTC')(points[0] as TrackPoint).slice(7, 10)).toEqual(['', '', '']);
});
