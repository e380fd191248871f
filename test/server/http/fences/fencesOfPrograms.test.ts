// Files as other programs write them, imported one after another, and what is exported of them, read by another program's parser.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fence, FenceImportPlan } from '../../../../shared/protocol/api/fences/fences.ts';
import { createFenceScene, FENCES, type FenceScene } from './fenceScene.ts';

const FILES = join(import.meta.dirname, '../../../fixtures/fences');

interface Imported {
  readonly file: string;
  readonly sizes: string;
  /** What each row is called, which kind it is, and what becomes of it. */
  readonly rows: readonly (readonly string[])[];
}

const IMPORTED: readonly Imported[] = [
  {
    file: 'geojson.io.geojson',
    sizes: 'radiusMeters=80&widthMeters=50',
    rows: [
      ['Harbor', 'polygon', 'added'],
      ['Pier', 'corridor', 'added'],
      ['Gate', 'circle', 'added'],
      ['Bow tie', 'polygon', 'refused', 'fence-crossing'],
    ],
  },
  {
    file: 'googleEarth.kml',
    sizes: 'radiusMeters=100&widthMeters=40',
    rows: [
      ['日月潭 depot', 'polygon', 'added'],
      ['Lake road & bridge', 'corridor', 'added'],
      ['Ferry stop', 'circle', 'added'],
      ['Island with a pond', 'polygon', 'refused', 'fence-hole'],
    ],
  },
  {
    file: 'garmin.gpx',
    sizes: 'radiusMeters=60&widthMeters=30',
    rows: [
      ['Morning ride', 'corridor', 'added'],
      ['Standing', 'corridor', 'refused', 'fence-few-vertices'],
      ['Water tower', 'circle', 'added'],
    ],
  },
  {
    file: 'spreadsheet.csv',
    sizes: '',
    rows: [
      ['Fuel, north', 'circle', 'added'],
      ['Workshop', 'circle', 'added'],
      ['Office', 'polygon', 'refused', 'bad-number'],
    ],
  },
];

let scene: FenceScene;
const plans = new Map<string, FenceImportPlan>();
beforeAll(async () => {
  scene = await createFenceScene();
  for (const { file, sizes } of IMPORTED) {
    const content = await readFile(join(FILES, file));
    const { data } = await scene.send<FenceImportPlan>('check', content, sizes);
    plans.set(file, data);
    expect((await scene.send('apply', content, `${sizes}&token=${data.token}`)).status).toBe(200);
  }
});
afterAll(() => scene?.test.close());

const rowsOf = (file: string) =>
  plans.get(file)?.rows.map(({ name, kind, outcome, faults }) => [name, kind, outcome, ...faults]);

async function fenceOf(name: string): Promise<Fence> {
  const { data } = await scene.ask<{ rows: readonly Fence[] }>('GET', FENCES);
  return data.rows.find((fence) => fence.name === name) ?? expect.fail(`no geofence ${name}`);
}

it.each(IMPORTED)('$file is shown by row', ({ file, rows }) => {
  expect(rowsOf(file)).toEqual(rows);
});

it('what was imported is exported as GeoJSON and KML that say the same', async () => {
  const names = IMPORTED.flatMap(({ rows }) => rows.filter((row) => row[2] === 'added').map(([name]) => name));
  const geo = JSON.parse((await scene.export('geojson')).body) as ReturnType<typeof kml>;
  const document = new DOMParser().parseFromString((await scene.export('kml')).body, 'text/xml');
  const earth = kml(document as unknown as Parameters<typeof kml>[0]);
  const byName = ({ features }: ReturnType<typeof kml>) =>
    new Map(features.map(({ properties, geometry }) => [String(properties?.name), geometry]));
  const [fromJson, fromKml] = [byName(geo), byName(earth)];
  expect([...fromJson.keys()].toSorted()).toEqual(names.toSorted());
  for (const [name, geometry] of fromJson) expect(fromKml.get(name), name).toEqual(geometry);
  expect(fromJson.get('Harbor')).toEqual((await fenceOf('Harbor')).geometry);
});

it('the same file again changes nothing', async () => {
  const content = await readFile(join(FILES, 'spreadsheet.csv'));
  const { data } = await scene.send<FenceImportPlan>('check', content);
  expect(data.counts).toEqual({ added: 0, changed: 0, unchanged: 2, refused: 1 });
});

it('the track of the GPX file is what another reader takes it for', async () => {
  const document = new DOMParser().parseFromString(await readFile(join(FILES, 'garmin.gpx'), 'utf8'), 'text/xml');
  const [track] = gpx(document as unknown as Parameters<typeof gpx>[0]).features;
  const { geometry } = await fenceOf('Morning ride');
  const flat = (positions: unknown) => (positions as number[][]).map(([lng, lat]) => [lng, lat]);
  expect(track?.geometry.type === 'LineString' && flat(track.geometry.coordinates)).toEqual(flat(geometry.coordinates));
});
