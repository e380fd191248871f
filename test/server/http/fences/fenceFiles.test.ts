import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fence, FenceImportPlan } from '../../../../shared/protocol/api/fences/fences.ts';
import { aCircle, aCorridor, aPolygon, aRectangle, squareAround } from '../../../support/aFence.ts';
import { createFenceScene, FENCES, type FenceScene } from './fenceScene.ts';

let scene: FenceScene;
beforeAll(async () => {
  scene = await createFenceScene();
});
afterEach(async () => {
  for (const table of ['fence', 'audit'] as const) await scene.test.db.deleteFrom(table).execute();
  scene.test.changed.length = 0;
  scene.test.fenceChanges.length = 0;
});
afterAll(() => scene.test.close());

async function list(): Promise<readonly Fence[]> {
  return (await scene.ask<{ rows: readonly Fence[] }>('GET', FENCES)).data.rows;
}

function check(file: string | Buffer, query = '') {
  return scene.send<FenceImportPlan>('check', file, query);
}

const SQUARE = JSON.stringify([squareAround([121.5, 25], 0.01)]);
const feature = (name: string, geometry: string, more = '') =>
  `{"type":"Feature","properties":{"name":${JSON.stringify(name)}${more}},"geometry":${geometry}}`;
const collection = (...features: string[]) => `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
const polygonOf = (coordinates = SQUARE) => `{"type":"Polygon","coordinates":${coordinates}}`;

async function addOfEachKind(): Promise<void> {
  await scene.add({ name: 'Polygon & <Co>', color: '#aa00bb' });
  await scene.add({ name: 'Rectangle', ...aRectangle() });
  await scene.add({ name: 'Circle', ...aCircle(123.5) });
  await scene.add({ name: 'Corridor', ...aCorridor(42) });
  await scene.add({ name: 'Corridor', ...aCorridor(43) });
}

describe('an export', () => {
  it.each(['geojson', 'kml'] as const)('as %s imports again unchanged', async (format) => {
    await addOfEachKind();
    const file = await scene.export(format);
    expect(file.headers['content-disposition']).toBe(`attachment; filename="geofences.${format}"`);
    expect((await check(file.body)).data).toMatchObject({
      format,
      counts: { added: 0, changed: 0, unchanged: 5, refused: 0 },
    });
  });

  it('as CSV imports again unchanged', async () => {
    await addOfEachKind();
    const answer = await scene.ask<{ address: string }>('POST', `${FENCES}/csv`);
    const file = await scene.test.request({ url: answer.data.address });
    expect((await check(file.body)).data).toMatchObject({ format: 'csv', counts: { unchanged: 5, refused: 0 } });
  });

  it.each(['geojson', 'kml'] as const)('as %s comes back whole where there was nothing', async (format) => {
    await addOfEachKind();
    const before = await list();
    const file = await scene.export(format);
    await scene.test.db.deleteFrom('fence').execute();
    const { token } = (await check(file.body)).data;
    expect(await scene.send('apply', file.body, `token=${token}`)).toMatchObject({ status: 200, data: { added: 5 } });
    const shapes = (fences: readonly Fence[]) =>
      fences.map(({ name, kind, geometry, radiusMeters, widthMeters, color }) => ({
        name,
        kind,
        geometry,
        radiusMeters,
        widthMeters,
        color,
      }));
    expect(shapes(await list())).toEqual(expect.arrayContaining(shapes(before)));
  });

  it('as KML is what another reader takes it for', async () => {
    await addOfEachKind();
    const document = new DOMParser().parseFromString((await scene.export('kml')).body, 'text/xml');
    const { features } = kml(document as unknown as Parameters<typeof kml>[0]);
    expect(features.map(({ geometry, properties }) => [properties?.name, geometry?.type])).toEqual([
      ['Polygon & <Co>', 'Polygon'],
      ['Rectangle', 'Polygon'],
      ['Circle', 'Point'],
      ['Corridor', 'LineString'],
      ['Corridor', 'LineString'],
    ]);
    expect(features[0]?.geometry).toEqual(aPolygon().geometry);
    expect(features[2]?.properties).toMatchObject({ radiusMeters: '123.5', kind: 'circle' });
    expect(features[0]?.properties).toMatchObject({ stroke: '#aa00bb' });
  });

  it('holds those of the member group alone, and is in the audit', async () => {
    await scene.add({ name: 'Theirs' }, 'south');
    expect(JSON.parse((await scene.export('geojson')).body)).toEqual({ type: 'FeatureCollection', features: [] });
    const entries = scene.test.db.selectFrom('audit').select(['action', 'target']).where('action', '=', 'export.begin');
    expect(await entries.execute()).toEqual([{ action: 'export.begin', target: 'geofences' }]);
  });
});

describe('an import', () => {
  it('says by row what it would do, and does exactly that', async () => {
    await scene.add({ name: 'Same' });
    const changed = await scene.add({ name: 'Other', devices: ['BUS1'] });
    const file = collection(
      feature('Same', polygonOf(JSON.stringify(aPolygon().geometry.coordinates))),
      feature('Other', '{"type":"Point","coordinates":[121.5,25]}', ',"radius":80'),
      feature('New', polygonOf(), ',"stroke":"#00ff00"'),
      feature('Crossing', polygonOf('[[[0,0],[1,1],[1,0],[0,1],[0,0]]]')),
      feature('Nowhere', 'null'),
    );
    const { data } = await check(file);
    expect(data.rows.map(({ line, name, kind, outcome, faults }) => [line, name, kind, outcome, ...faults])).toEqual([
      [1, 'Same', 'polygon', 'unchanged'],
      [2, 'Other', 'circle', 'changed'],
      [3, 'New', 'polygon', 'added'],
      [4, 'Crossing', 'polygon', 'refused', 'fence-crossing'],
      [5, 'Nowhere', 'polygon', 'refused', 'fence-other-geometry'],
    ]);
    expect(data.shapes.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(await list()).toHaveLength(2);
    const done = await scene.send('apply', file, `token=${data.token}`);
    expect(done).toMatchObject({ status: 200, data: { added: 1, changed: 1, unchanged: 1, refused: 2 } });
    const [added, other] = (await list()).toSorted((a, b) => a.name.localeCompare(b.name));
    expect(added).toMatchObject({ name: 'New', color: '#00ff00', enabled: true });
    // What the file says nothing of stays.
    expect(other).toMatchObject({ id: changed.id, version: 2, kind: 'circle', radiusMeters: 80, devices: ['BUS1'] });
    expect(scene.test.fenceChanges.at(-1)).toBe(scene.north.memberGroup);
    const audit = scene.test.db.selectFrom('audit').select('detail').where('action', '=', 'fence.import');
    const [entry] = await audit.execute();
    expect(JSON.parse(entry?.detail ?? '')).toMatchObject({ format: 'geojson', added: ['New'], changed: ['Other'] });
  });

  it('is refused where something has changed since it was shown', async () => {
    const file = collection(feature('Depot', polygonOf(), ',"color":"#123456"'));
    const { token } = (await check(file)).data;
    await scene.add();
    expect(await scene.send('apply', file, `token=${token}`)).toMatchObject({ status: 409, code: 'conflict' });
    expect(await list()).toMatchObject([{ color: '#1976d2' }]);
    const other = (await check(file)).data.token;
    expect((await scene.send('apply', collection(feature('Else', polygonOf())), `token=${other}`)).status).toBe(409);
  });

  it('makes a geofence of each part of a feature, and takes sizes from the choice', async () => {
    const far = JSON.stringify([squareAround([121.9, 25], 0.01)]);
    const file = collection(
      feature('Islands', `{"type":"MultiPolygon","coordinates":[${SQUARE},${far}]}`),
      feature('Road', '{"type":"LineString","coordinates":[[121,25,10],[121.1,25,12]]}'),
      feature('Stop', '{"type":"Point","coordinates":[121,25]}'),
      feature('Hole', polygonOf(`[${SQUARE.slice(1, -1)},${JSON.stringify(squareAround([121.5, 25], 0.001))}]`)),
    );
    const { rows, shapes } = (await check(file, 'widthMeters=30&radiusMeters=50')).data;
    expect(rows.map(({ name, outcome, faults }) => [name, outcome, ...faults])).toEqual([
      ['Islands', 'added'],
      ['Islands 2', 'added'],
      ['Road', 'added'],
      ['Stop', 'added'],
      ['Hole', 'refused', 'fence-hole'],
    ]);
    expect(shapes[2]).toMatchObject({
      kind: 'corridor',
      widthMeters: 30,
      geometry: {
        coordinates: [
          [121, 25],
          [121.1, 25],
        ],
      },
    });
    expect(shapes[3]).toMatchObject({ kind: 'circle', radiusMeters: 50 });
    const without = (await check(file)).data.rows;
    expect(without.slice(2, 4).map(({ faults }) => faults)).toEqual([['fence-small-width'], ['fence-small-radius']]);
  });

  it('reads KML of Google Earth', async () => {
    const { data } = await check(GOOGLE_EARTH, 'radiusMeters=100&widthMeters=20');
    expect(data.format).toBe('kml');
    expect(data.rows.map(({ name, kind, outcome }) => [name, kind, outcome])).toEqual([
      ['Harbour "A" & pier', 'circle', 'added'],
      ['Yard', 'polygon', 'added'],
      ['Yard 2', 'corridor', 'added'],
    ]);
  });

  it('reads GPX, as another reader takes it', async () => {
    const document = new DOMParser().parseFromString(GPX, 'text/xml');
    expect(gpx(document as unknown as Parameters<typeof gpx>[0]).features).toHaveLength(3);
    const { data } = await check(GPX, 'widthMeters=20&radiusMeters=30');
    expect(data.format).toBe('gpx');
    expect(data.rows.map(({ name, kind, outcome }) => [name, kind, outcome])).toEqual([
      ['Track', 'corridor', 'added'],
      ['Route', 'corridor', 'added'],
      ['Waypoint', 'circle', 'added'],
    ]);
  });

  it('reads CSV, with places or well-known text, and with semicolons', async () => {
    const places = await check('Name,lat,lng,radius,note\r\nA,25,121,40,x\r\n"B, b",25,,40,\r\nC,25,121,many,\r\n');
    expect(places.data.rows.map(({ line, name, outcome, faults }) => [line, name, outcome, ...faults])).toEqual([
      [2, 'A', 'added'],
      [3, 'B, b', 'refused', 'bad-number'],
      [4, 'C', 'refused', 'bad-number'],
    ]);
    const texts = await check(
      [
        'name;wkt;width',
        'A;POLYGON ((121 25, 121.1 25, 121.1 25.1, 121 25));',
        'B;SRID=4326;',
        'C;LINESTRING Z (121 25 1, 121.1 25 1);12',
        'D;MULTIPOLYGON (((121 25, 121.1 25, 121 25.1, 121 25)), ((122 25, 122.1 25, 122 25.1, 122 25)));',
      ].join('\n'),
    );
    expect(texts.data.rows.map(({ name, kind, outcome, faults }) => [name, kind, outcome, ...faults])).toEqual([
      ['A', 'polygon', 'added'],
      ['B', 'polygon', 'refused', 'bad-wkt'],
      ['C', 'corridor', 'added'],
      ['D', 'polygon', 'added'],
      ['D 2', 'polygon', 'added'],
    ]);
  });

  it.each([
    ['nothing', '', 'fence-file-empty'],
    ['no features', collection(), 'fence-file-empty'],
    ['broken JSON', '{"type":"FeatureColl', 'fence-file-json'],
    ['other JSON', '{"type":"Topology","objects":{}}', 'fence-file-format'],
    ['a list', '[1,2,3]', 'fence-file-format'],
    ['other XML', '<html><body/></html>', 'fence-file-format'],
    ['XML that was cut off', '<kml><Document>', 'fence-file-xml'],
    ['a text', 'hello', 'fence-file-column-missing'],
    ['a quotation mark', 'name,wkt\nA,"POINT (1 1)', 'file-quotes'],
    ['bytes that are no text', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0xff]), 'file-encoding'],
  ])('is refused with %s', async (_what, file, code) => {
    expect(await check(file)).toMatchObject({ status: 422, code, data: { fields: { file: code } } });
  });
});

describe('an attack in a file', () => {
  const wrap = (head: string, name: string) =>
    `<?xml version="1.0"?>${head}<kml><Placemark><name>${name}</name><Point><coordinates>121,25</coordinates></Point></Placemark></kml>`;

  it('by entities that multiply, or that name a file, is refused unread', async () => {
    const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`;
    const file = `<!doctype foo [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    for (const head of [laughs, file, `<!-- --> ${file}`]) {
      expect(await check(wrap(head, '&c;&x;'), 'radiusMeters=50')).toMatchObject({
        status: 422,
        code: 'fence-file-xml',
      });
    }
  });

  it('by references to characters stands for these characters alone', async () => {
    const { data } = await check(wrap('', 'A&#66;&amp;#67;&unknown;&#9999999;&lt;b&gt;'), 'radiusMeters=50');
    expect(data.rows[0]?.name).toBe('AB&#67;&unknown;&#9999999;<b>');
  });

  it('by depth is refused', async () => {
    const deep = `${'<Folder>'.repeat(50_000)}${'</Folder>'.repeat(50_000)}`;
    expect(await check(`<kml>${deep}</kml>`)).toMatchObject({ status: 422, code: 'fence-file-xml' });
    const arrays = `{"type":"Polygon","coordinates":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await check(arrays)).toMatchObject({ status: 422, code: 'fence-file-json' });
    const collections = `${'{"type":"GeometryCollection","geometries":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    expect(await check(collections)).toMatchObject({ status: 422, code: 'fence-file-json' });
  });

  it('by names of the language touches nothing', async () => {
    const named = `<kml><Placemark><name>A</name><ExtendedData><Data name="__proto__"><value>x</value></Data></ExtendedData><Point><coordinates>121,25</coordinates></Point></Placemark></kml>`;
    expect((await check(named, 'radiusMeters=50')).status).toBe(200);
    const element = '<kml><__proto__><polluted>1</polluted></__proto__></kml>';
    expect(await check(element)).toMatchObject({ status: 422, code: 'fence-file-empty' });
    const json = collection(
      `{"type":"Feature","__proto__":{"polluted":1},"properties":{"__proto__":{"name":"x"}},"geometry":null}`,
    );
    expect((await check(json)).status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('by characters that the database or a page can not hold keeps none of them', async () => {
    const file = collection(
      feature('A\u0000B\nC', polygonOf()),
      `{"type":"Feature","properties":{"name":"\\ud800"},"geometry":${polygonOf()}}`,
    );
    const { token, rows } = (await check(file)).data;
    expect(rows.map(({ name }) => name)).toEqual(['A B C', '\ufffd']);
    expect((await scene.send('apply', file, `token=${token}`)).status).toBe(200);
  });

  it('by a name without an end is refused, and shown cut', async () => {
    const { rows } = (await check(collection(feature('x'.repeat(100_000), polygonOf())))).data;
    expect(rows).toMatchObject([{ outcome: 'refused', faults: ['name-too-long'] }]);
    expect(rows[0]?.name.length).toBeLessThan(300);
  });

  it('by a million points is refused as one geofence', async () => {
    const points = '<trkpt lat="25" lon="121"/>'.repeat(150_000);
    const { data } = await check(`<gpx><trk><name>Long</name><trkseg>${points}</trkseg></trk></gpx>`, 'widthMeters=20');
    expect(data.rows).toMatchObject([{ outcome: 'refused' }]);
    expect(data.rows[0]?.faults).toContain('fence-many-vertices');
    expect(data.shapes).toEqual([]);
  });
});

const GOOGLE_EARTH = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:kml="http://www.opengis.net/kml/2.2">
<Document>
  <name>Places.kml</name>
  <gx:CascadingStyle kml:id="s1"><Style><IconStyle><scale>1.2</scale></IconStyle></Style></gx:CascadingStyle>
  <Folder>
    <name>Yards</name>
    <Placemark id="1">
      <name>Yard</name>
      <description><![CDATA[<!DOCTYPE html><b>open &amp; wide</b>]]></description>
      <MultiGeometry>
        <Polygon><tessellate>1</tessellate><outerBoundaryIs><LinearRing><coordinates>
          121.50,25.00,0 121.51,25.00,0
          121.51,25.01,0 121.50,25.01,0 121.50,25.00,0
        </coordinates></LinearRing></outerBoundaryIs></Polygon>
        <LineString><coordinates>121.5,25,0 121.6,25,0</coordinates></LineString>
      </MultiGeometry>
    </Placemark>
  </Folder>
  <Placemark><name><![CDATA[Harbour "A" & pier]]></name><Point><gx:drawOrder>1</gx:drawOrder><coordinates>121.7,25.1,0</coordinates></Point></Placemark>
</Document>
</kml>`;

const GPX = `<?xml version="1.0"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
  <wpt lat="25" lon="121"><name>Waypoint</name></wpt>
  <rte><name>Route</name><rtept lat="25" lon="121"/><rtept lat="25" lon="121.2"/></rte>
  <trk><name>Track</name><trkseg><trkpt lat="25" lon="121"><ele>4</ele></trkpt><trkpt lat="25.1" lon="121"/></trkseg></trk>
</gpx>`;
