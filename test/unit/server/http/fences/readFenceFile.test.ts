import { describe, expect, it } from 'vitest';
import { type FenceFile, readFenceFile } from '../../../../../server/http/fences/import/readFile.ts';

const defaults = { widthMeters: 20, radiusMeters: 50, name: 'Town' };

function read(text: string): Promise<FenceFile> {
  return readFenceFile(new TextEncoder().encode(text), { defaults }, () => undefined);
}

/** Name, coordinates, and faults with the position that can't be read. */
async function fencesIn(text: string) {
  const file = await read(text);
  if (!file.ok) throw new Error(file.code);
  return file.fences.map(({ name, shape, faults, at }) => [name, shape.geometry.coordinates, ...faults, at]);
}

const kml = (...placemarks: string[]) => `<kml><Document>${placemarks.join('')}</Document></kml>`;
const line = (coordinates: string) =>
  `<Placemark><name>A</name><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const point = (coordinates: string, more = '<name>A</name>') =>
  `<Placemark>${more}<Point><coordinates>${coordinates}</coordinates></Point></Placemark>`;
const LINE = [
  [8.5, 47.37],
  [8.501, 47.371],
  [8.502, 47.37],
];

describe('coordinates of KML', () => {
  it.each([
    ['as the standard has them', '8.5,47.37,0 8.501,47.371,0 8.502,47.37,0'],
    ['without altitudes, on lines', '\n 8.5,47.37\n 8.501,47.371\n 8.502,47.37\n'],
    ['with a comma before each', ',8.5,47.37 ,8.501,47.371 ,8.502,47.37'],
    ['with a comma behind each', '8.5,47.37,0, 8.501,47.371,0, 8.502,47.37,0,'],
    ['with blanks behind commas', '8.5, 47.37, 0 8.501, 47.371, 0 8.502, 47.37, 0'],
    ['with blanks before commas', '8.5 ,47.37 ,0 8.501 ,47.371 ,0 8.502 ,47.37 ,0'],
    ['with commas between everything', '8.5,47.37,0,8.501,47.371,0,8.502,47.37,0'],
    ['with blanks behind commas, without altitudes', '8.5, 47.37 8.501, 47.371\n8.502,\n47.37'],
    ['with commas and blanks between everything', '8.5, 47.37, 8.501, 47.371, 8.502, 47.37'],
    ['with commas between everything, without altitudes', '8.5,47.37,8.501,47.371,8.502,47.37'],
  ])('are read %s', async (_, coordinates) => {
    expect(await fencesIn(kml(line(coordinates)))).toEqual([['A', LINE, '']]);
  });

  it.each([
    ['8.5,47.37 8.501 8.502,47.37', '2 (8.501)'],
    ['8.5,47.37 8.501,,0 8.502,47.37', '2 (8.501,,0)'],
    ['8.5,47.37 8.501,x,0', '2 (8.501,x,0)'],
    ['8.5,47.37,0,8.501,47.371', '1 (8.5,47.37,0,8.501,47.371)'],
    [',47.37 8.5,47.37', '1 (,47.37)'],
    ['8.5;47.37', '1 (8.5;47.37)'],
    ['8.5,47.37\n8.501,\n8.503,47.371\n8.51,47.38', '2 (8.501,)'],
    ['8.5,47.37 8.501, 8.503,47.371 8.51,47.38', '2 (8.501,)'],
    ['8.5,47.37,0 8.501, 8.503,47.371,0 8.51,47.38,0', '2 (8.501,)'],
    ['8.501,\n8.503,47.371\n8.51,47.38', '1 (8.501,)'],
    ['8.501, 8.503,47.371 8.505, 8.507,47.371', '1 (8.501,)'],
    ['8.5, 47.37 8.501, 8.503, 47.371 8.51, 47.38', '2 (8.501,8.503,47.371)'],
    [',47.37,0 8.503,47.371,0', '1 (,47.37,0)'],
    ['8.5,47.37,0 ,47.371,0 8.503,47.371,0', '2 (,47.371,0)'],
  ])('are refused with the position that is wrong: %s', async (coordinates, at) => {
    expect(await fencesIn(kml(line(coordinates)))).toEqual([['A', [], 'bad-coordinates', at]]);
  });

  it('of a point are one position', async () => {
    expect(await fencesIn(kml(point(',8.5,47.37')))).toEqual([['A', [8.5, 47.37], '']]);
    expect(await fencesIn(kml(point('8.5,47.37, 0'), point('8.5, 47.37,0')))).toEqual([
      ['A', [8.5, 47.37], ''],
      ['A', [8.5, 47.37], ''],
    ]);
    expect(await fencesIn(kml(point('8.5 47.37')))).toEqual([['A', [], 'bad-coordinates', '1 (8.5)']]);
  });
});

describe('the name of a fence', () => {
  const named = async (text: string) => (await fencesIn(text)).map(([name]) => name);
  const segment = '<trkseg><trkpt lat="1" lon="2"/><trkpt lat="1.1" lon="2"/></trkseg>';
  const gpx = (head: string, ...tracks: string[]) => `<gpx>${head}${tracks.join('')}</gpx>`;
  const track = (inner: string) => `<trk>${inner}${segment}</trk>`;

  it('of GPX is that of the track, of the file, or what describes it', async () => {
    const head = '<metadata><name>Shuttle</name></metadata>';
    expect(await named(gpx(head, track('<name>Own</name>')))).toEqual(['Own']);
    expect(await named(gpx(head, track('<desc>North</desc>')))).toEqual(['Shuttle']);
    expect(await named(gpx('<name>Shuttle</name>', track('')))).toEqual(['Shuttle']);
    expect(await named(gpx(head, track('<desc>North</desc>'), track('')))).toEqual(['North', 'Shuttle 2']);
    expect(await named(gpx('', track(''), track('')))).toEqual(['Town', 'Town 2']);
  });

  it('of GPX counts no empty segment, and a route of nothing is no fence', async () => {
    expect(await named(gpx('', `<trk><name>A</name><trkseg/>${segment}${segment}</trk>`, '<rte/>'))).toEqual([
      'A',
      'A 2',
    ]);
    const line = [
      [2, 1],
      [2, 1.1],
    ];
    expect(await fencesIn(gpx('', '<trk><name>A</name><trkseg/></trk>', track('')))).toEqual([
      ['A', [], 'fence-few-vertices', ''],
      ['Town 2', line, ''],
    ]);
  });

  it('of GPX is found in any case, and in extensions', async () => {
    const extended = (inner: string) => track(`<extensions>${inner}</extensions>`);
    expect(await named(gpx('', track('<NAME>A</NAME>')))).toEqual(['A']);
    expect(await named(gpx('<metadata><Name>A</Name></metadata>', track('')))).toEqual(['A']);
    const deeper = '<x:TrackExtension><x:DisplayName>A</x:DisplayName></x:TrackExtension>';
    expect(await named(gpx('', extended(deeper)))).toEqual(['A']);
    expect(await named(gpx('', extended('<x:name>A</x:name>')))).toEqual(['A']);
    expect(await named(gpx('', track(`<name>Own</name><extensions>${deeper}</extensions>`)))).toEqual(['Own']);
  });

  it('of XML is the one of the vocabulary around it', async () => {
    const both = '<atom:name>Author</atom:name><name>A</name>';
    expect(await named(kml(point('2,1', both)))).toEqual(['A']);
    expect(await named(kml(both, point('2,1', '')))).toEqual(['A']);
    expect(await named(gpx('', track(both)))).toEqual(['A']);
    const prefixed = '<k:Placemark><atom:name>B</atom:name><k:name>A</k:name><k:Point><k:coordinates>2,1';
    const text = `<k:kml>${prefixed}</k:coordinates></k:Point></k:Placemark></k:kml>`;
    expect(await named(text)).toEqual(['A']);
  });

  it.each([
    ['"name":"A"', '{}', 'A'],
    ['"Title":"A","id":"7"', 'null', 'A'],
    ['"id":"way/7"', '{"kind":""}', 'way/7'],
    ['"id":7', '{}', 'Town'],
    ['"name":"Beside","id":"7"', '{"label":"A"}', 'A'],
  ])('of GeoJSON with %s beside the properties %s is %s', async (beside, properties, name) => {
    const geometry = '{"type":"Point","coordinates":[2,1]}';
    const feature = `{"type":"Feature",${beside},"properties":${properties},"geometry":${geometry}}`;
    expect(await named(feature)).toEqual([name]);
  });

  it.each([
    ['{"name":"A"}', 'A'],
    ['{"NAME":"A"}', 'A'],
    ['{"Title":"A"}', 'A'],
    ['{"name":12}', '12'],
    ['{"name":"","label":"A"}', 'A'],
    ['{"name":null,"description":"A"}', 'A'],
    ['{"name":["A"]}', 'Town'],
    ['{}', 'Town'],
    ['null', 'Town'],
  ])('of GeoJSON with the properties %s is %s', async (properties, name) => {
    const feature = `{"type":"Feature","properties":${properties},"geometry":{"type":"Point","coordinates":[2,1]}}`;
    expect(await named(feature)).toEqual([name]);
  });

  it('of KML is in its data as well, or is that of the document', async () => {
    const data = '<ExtendedData><SchemaData><SimpleData name="NAME">Depot</SimpleData></SchemaData></ExtendedData>';
    expect(await named(kml(point('2,1', data)))).toEqual(['Depot']);
    expect(await named(kml(point('2,1', '<Name>Gate</Name>')))).toEqual(['Gate']);
    expect(await named(kml('<name>Yards</name>', point('2,1', ''), point('2,1', '')))).toEqual(['Yards', 'Yards 2']);
    expect(await named(kml(point('2,1', '<description>Gate 3</description>')))).toEqual(['Gate 3']);
  });

  it('of CSV is the default where the cell is empty', async () => {
    expect(await named('name,lat,lng\nA,1,2\n,1,2\n')).toEqual(['A', 'Town 3']);
  });
});

describe('well-known text', () => {
  const geometries = async (wkt: string) =>
    (await fencesIn(`name,wkt\nA,"${wkt}"\n`)).map(([name, coordinates, fault]) => [name, coordinates, fault]);
  const [one, other] = [
    [
      [1, 2],
      [3, 4],
    ],
    [
      [5, 6],
      [7, 8],
    ],
  ];

  it.each([
    ['POINT (1 2)', [['A', [1, 2], '']]],
    ['  srid=4326; pointz(1 2 3) ', [['A', [1, 2], '']]],
    ['LINESTRING M (1 2 0, 3 4 0)', [['A', one, '']]],
    [
      'MULTIPOINT ((1 2), (3 4))',
      [
        ['A', [1, 2], ''],
        ['A 2', [3, 4], ''],
      ],
    ],
    [
      'MULTIPOINT (1 2, EMPTY, 3 4)',
      [
        ['A', [1, 2], ''],
        ['A 2', [3, 4], ''],
      ],
    ],
    [
      'MULTILINESTRING ((1 2, 3 4), EMPTY, (5 6, 7 8))',
      [
        ['A', one, ''],
        ['A 2', other, ''],
      ],
    ],
    [
      'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))',
      [
        ['A', [1, 2], ''],
        ['A 2', one, ''],
      ],
    ],
  ])('%s is taken', async (wkt, found) => {
    expect(await geometries(wkt)).toEqual(found);
  });

  it.each([
    'POINT',
    'POINT (1)',
    'POINT (1 2',
    'POINT (1 2) x',
    'POINT (1 2, 3 4)',
    'POINT (1 x)',
    'CIRCLE (1 2)',
    '(1 2)',
  ])('%s is none', async (wkt) => {
    expect(await geometries(wkt)).toMatchObject([['A', [], 'bad-wkt']]);
  });
});

describe('a file that was made to be slow', () => {
  // Each took minutes, or the memory of the process.
  const names = 'n'.repeat(1_000_000);
  const positions = `[${Array.from({ length: 50_000 }, () => '[1,2]').join(',')}]`;
  it.each([
    ['attributes', `<gpx><wpt ${'a'.repeat(500_000)}/></gpx>`],
    ['attributes of blanks', `<gpx><wpt x${' '.repeat(500_000)}y/></gpx>`],
    ['blanks in well-known text', `name,wkt\nA,"POINT${' '.repeat(500_000)}x"`],
    ['blanks behind brackets', `name,wkt\nA,"POLYGON ((1 2)${' '.repeat(500_000)}x"`],
    ['commas between blanks', kml(line(', '.repeat(300_000)))],
    [
      'a long name of many parts',
      `{"properties":{"name":"${names}"},"type":"Feature","geometry":{"type":"MultiPoint","coordinates":${positions}}}`,
    ],
    ['a thousand lists in lists', `{"type":"Polygon","coordinates":${'['.repeat(500_000)}`],
  ])('by %s is read at once', async (_, text) => {
    const file = await read(text);
    const refused = file.ok ? file.fences.every(({ faults }) => faults.length > 0) : true;
    expect(refused).toBe(true);
  });
});
