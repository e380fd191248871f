// Files of other programs imported in the page after a look at their rows, and what is exported read by another program's parser.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { fenceOf, field, openFences, row } from './fenceTools.ts';

const FILES = join(import.meta.dirname, '../../../fixtures/fences');

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

interface Imported {
  readonly file: string;
  readonly counts: string;
  readonly radius?: string;
  readonly width?: string;
  /** Names and kinds, as the list has them afterwards. */
  readonly added: readonly (readonly [name: string, kind: string])[];
  readonly refused: { readonly row: number; readonly name: string; readonly reason: string };
}

const IMPORTED: readonly Imported[] = [
  {
    file: 'geojson.io.geojson',
    counts: 'Add: 3, change: 0, no change: 0, reject: 1',
    radius: '80',
    width: '50',
    added: [
      ['Harbor', 'Polygon'],
      ['Pier', 'Corridor'],
      ['Gate', 'Circle'],
    ],
    refused: { row: 4, name: 'Bow tie', reason: 'The edges cross each other.' },
  },
  {
    file: 'googleEarth.kml',
    counts: 'Add: 3, change: 0, no change: 0, reject: 1',
    radius: '100',
    width: '40',
    added: [
      ['日月潭 depot', 'Polygon'],
      ['Lake road & bridge', 'Corridor'],
      ['Ferry stop', 'Circle'],
    ],
    refused: { row: 4, name: 'Island with a pond', reason: 'A geofence must not have holes.' },
  },
  {
    file: 'garmin.gpx',
    counts: 'Add: 2, change: 0, no change: 0, reject: 1',
    radius: '60',
    width: '30',
    added: [
      ['Morning ride', 'Corridor'],
      ['Water tower', 'Circle'],
    ],
    refused: { row: 2, name: 'Standing', reason: 'There are too few vertices.' },
  },
  {
    file: 'spreadsheet.csv',
    counts: 'Add: 2, change: 0, no change: 0, reject: 1',
    added: [
      ['Fuel, north', 'Circle'],
      ['Workshop', 'Circle'],
    ],
    refused: { row: 4, name: 'Office', reason: 'A number has the wrong format.' },
  },
];

test.each(IMPORTED)('$file is shown by row, and then listed and drawn', async (imported) => {
  const { file, counts, radius, width, added, refused } = imported;
  const page = await openFences(scene);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  await dialog.locator('input[type=file]').setInputFiles(join(FILES, file));
  if (radius !== undefined) await field(page, 'Radius of points (m)').fill(radius);
  if (width !== undefined) await field(page, 'Width of lines (m)').fill(width);
  // Taken when the field is left.
  await page.keyboard.press('Tab');
  await dialog.getByText(counts).waitFor();
  const rows = dialog.getByRole('group', { name: 'Rows in the file' }).getByRole('listitem');
  for (const [name, kind] of added) {
    await expect.poll(() => rows.filter({ hasText: name }).innerText()).toMatch(new RegExp(`Add[^]*${kind}`));
  }
  const bad = await rows.filter({ hasText: refused.name }).innerText();
  for (const text of [`Row ${refused.row}`, 'Reject', refused.reason]) expect(bad).toContain(text);
  await dialog.locator('[data-map=ready]').waitFor();
  await dialog.getByRole('button', { name: `Import (${added.length})` }).click();
  await dialog.waitFor({ state: 'detached' });
  for (const [name, kind] of added) {
    await expect.poll(() => row(page, name).innerText()).toContain(kind);
    await expectDrawn(page, name);
  }
  await expect.poll(() => row(page, refused.name).count()).toBe(0);
});

/** The map, which it is shown in the middle of, has it there under the pointer. */
async function expectDrawn(page: Page, name: string): Promise<void> {
  await row(page, name).getByText(name).click();
  const selected = page.getByRole('group', { name: 'Selected geofence' });
  await selected.getByText(name).waitFor();
}

async function exported(page: Page, format: 'GeoJSON' | 'KML'): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: format, exact: true }).click();
  return readFile(await (await download).path(), 'utf8');
}

test('what was imported is exported as GeoJSON and KML that say the same', async () => {
  const page = await openFences(scene);
  const names = IMPORTED.flatMap(({ added }) => added.map(([name]) => name)).toSorted();
  const geo = JSON.parse(await exported(page, 'GeoJSON')) as ReturnType<typeof kml>;
  const document = new DOMParser().parseFromString(await exported(page, 'KML'), 'text/xml');
  const earth = kml(document as unknown as Parameters<typeof kml>[0]);
  const byName = ({ features }: ReturnType<typeof kml>) =>
    new Map(features.map(({ properties, geometry }) => [String(properties?.name), geometry]));
  const [fromJson, fromKml] = [byName(geo), byName(earth)];
  expect([...fromJson.keys()].toSorted()).toEqual(names);
  for (const [name, geometry] of fromJson) expect(fromKml.get(name), name).toEqual(geometry);
  expect(fromJson.get('Harbor')).toEqual((await fenceOf(scene, 'Harbor')).geometry);
});

test('the same file again changes nothing', async () => {
  const page = await openFences(scene);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  await dialog.locator('input[type=file]').setInputFiles(join(FILES, 'spreadsheet.csv'));
  await dialog.getByText('Add: 0, change: 0, no change: 2, reject: 1').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
});

test('the track of the GPX file is what another reader takes it for', async () => {
  const document = new DOMParser().parseFromString(await readFile(join(FILES, 'garmin.gpx'), 'utf8'), 'text/xml');
  const [track] = gpx(document as unknown as Parameters<typeof gpx>[0]).features;
  const { geometry } = await fenceOf(scene, 'Morning ride');
  const flat = (positions: unknown) => (positions as number[][]).map(([lng, lat]) => [lng, lat]);
  expect(track?.geometry.type === 'LineString' && flat(track.geometry.coordinates)).toEqual(flat(geometry.coordinates));
});
