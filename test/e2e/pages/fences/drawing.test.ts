// Geofences of each kind drawn by pointer, changed by pointer and by numbers, undone, and saved.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FENCES_PATH, type Fence, type FenceShape } from '../../../../shared/protocol/api/fences/fences.ts';
import { toDegrees, toWorld, worldSize } from '../../../../shared/ui/map/mercator.ts';
import { CIRCLE, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import {
  addLandmark,
  begin,
  clickMap,
  dragOnMap,
  edit,
  fenceOf,
  field,
  type MapPlace,
  openFences,
  save,
} from './fenceTools.ts';

const MIDDLE = [120.91, 23.86] as const;
/** As close as the map goes to show a geofence. */
const ZOOM = 16;
/** Some 3 pixels there. */
const NEAR_DEGREES = 3e-5;

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
  await addLandmark(scene, MIDDLE);
});
// The map shows all there are: those of other tests would move it.
afterEach(async () => {
  const { rows } = (await scene.call('chief', 'GET', FENCES_PATH)) as { readonly rows: readonly Fence[] };
  for (const { id, name, version } of rows) {
    if (name !== 'Landmark') await scene.call('chief', 'DELETE', `${FENCES_PATH}/${id}?version=${version}`);
  }
});
afterAll(() => scene?.close());

/** Where a place of the map is, while the landmark is in its middle. */
function degreesOf([right, down]: MapPlace): readonly [number, number] {
  const { x, y } = toWorld(MIDDLE[1], MIDDLE[0]);
  const size = worldSize(ZOOM);
  const { lat, lng } = toDegrees({ x: x + right / size, y: y + down / size });
  return [lng, lat];
}

function metersOf(pixels: number): number {
  const [, lat] = degreesOf([0, -pixels]);
  return (lat - MIDDLE[1]) * 111_195;
}

/** All positions, of a ring without its last one. */
function positionsOf({ geometry }: Pick<FenceShape, 'geometry'>): readonly (readonly number[])[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'Polygon':
      return (geometry.coordinates[0] ?? []).slice(0, -1);
  }
}

const isNear = (degrees: number | undefined, expected: number | undefined): boolean =>
  Math.abs((degrees ?? Number.NaN) - (expected ?? Number.NaN)) < NEAR_DEGREES;

/** Whatever their order: that of a ring is the tool's. */
function expectPlaces(shape: Pick<FenceShape, 'geometry'>, ...places: readonly MapPlace[]): void {
  const positions = positionsOf(shape);
  const expected = places.map(degreesOf);
  const missing = expected.filter(([lng, lat]) => !positions.some(([x, y]) => isNear(x, lng) && isNear(y, lat)));
  expect({ missing, positions }).toEqual({
    missing: [],
    positions: expect.toSatisfy((all) => all.length === places.length),
  });
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const typedIn = (page: Page, label: string) => field(page, label).inputValue();

/** Once it is so: the form follows what is drawn. */
function expectDegrees(page: Page, label: string, degrees: number): Promise<void> {
  const differs = async () => Math.abs(Number(await typedIn(page, label)) - degrees);
  return expect.poll(differs, { message: `${label} is ${degrees}` }).toBeLessThan(NEAR_DEGREES);
}

async function openNew(kind: string, name: string): Promise<Page> {
  const page = await openFences(scene);
  await begin(page, kind, name);
  return page;
}

test('a polygon is drawn, its vertex moved, put back and moved again, and one typed', async () => {
  const page = await openNew('Polygon', 'Field');
  // As the tool keeps a ring: counterclockwise.
  await clickMap(page, [-80, -60], [0, 80], [80, -60]);
  await field(page, 'Latitude 3').waitFor();
  await page.getByText('Click the first one again, or press Enter, to finish.').waitFor();
  await clickMap(page, [-80, -60]);
  await page.getByText('Drag the shape or its vertices.').waitFor();
  await dragOnMap(page, [80, -60], [120, -100]);
  await expectDegrees(page, 'Longitude 3', degreesOf([120, -100])[0]);
  await press(page, 'Undo');
  await expectDegrees(page, 'Longitude 3', degreesOf([80, -60])[0]);
  await press(page, 'Redo');
  await expectDegrees(page, 'Longitude 3', degreesOf([120, -100])[0]);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  const [lng, lat] = degreesOf([0, 100]);
  await field(page, 'Latitude 2').fill(lat.toFixed(7));
  await field(page, 'Longitude 2').fill(lng.toFixed(7));
  await save(page, 'Field');
  expectPlaces(await fenceOf(scene, 'Field'), [-80, -60], [120, -100], [0, 100]);
});

test('a circle is drawn, made larger at its edge, and its radius typed', async () => {
  const page = await openNew('Circle', 'Well');
  await clickMap(page, [0, 0], [60, 0]);
  const radius = async () => Number(await typedIn(page, 'Radius (m)'));
  await field(page, 'Latitude').waitFor();
  expect(await radius()).toBeCloseTo(metersOf(60), -0.5);
  await dragOnMap(page, [60, 0], [100, 0]);
  await expect.poll(radius).toBeGreaterThan(metersOf(90));
  await press(page, 'Undo');
  await expect.poll(radius).toBeLessThan(metersOf(65));
  await field(page, 'Radius (m)').fill('123');
  await save(page, 'Well');
  const well = await fenceOf(scene, 'Well');
  expect(well).toMatchObject({ kind: 'circle', radiusMeters: 123 });
  expectPlaces(well, [0, 0]);
});

test('a rectangle is drawn, made larger at a corner, and a side typed', async () => {
  const page = await openNew('Rectangle', 'Yard');
  await clickMap(page, [-80, -60], [80, 60]);
  await field(page, 'North').waitFor();
  await dragOnMap(page, [80, 60], [120, 90]);
  await expectDegrees(page, 'East', degreesOf([120, 0])[0]);
  await field(page, 'North').fill(degreesOf([0, -100])[1].toFixed(7));
  await save(page, 'Yard');
  expectPlaces(await fenceOf(scene, 'Yard'), [-80, -100], [120, -100], [120, 90], [-80, 90]);
});

test('a corridor is drawn, its middle moved, and its width typed', async () => {
  const page = await openNew('Corridor', 'Road');
  await clickMap(page, [-100, 0], [0, 0], [100, 40], [100, 40]);
  await field(page, 'Latitude 3').waitFor();
  await dragOnMap(page, [0, 0], [0, -80]);
  await expectDegrees(page, 'Latitude 2', degreesOf([0, -80])[1]);
  await field(page, 'Width (m)').fill('60');
  await save(page, 'Road');
  const road = await fenceOf(scene, 'Road');
  expect(road).toMatchObject({ kind: 'corridor', widthMeters: 60 });
  expect(positionsOf(road)).toHaveLength(3);
  expectPlaces(road, [-100, 0], [0, -80], [100, 40]);
});

test('what is stored is moved as a whole, and edges that cross are refused with the reason', async () => {
  const geometry = { type: 'Polygon', coordinates: [[...SQUARE, SQUARE[0]].map((place = [0, 0]) => degreesOf(place))] };
  await scene.call('chief', 'POST', FENCES_PATH, {
    ...CIRCLE,
    kind: 'polygon',
    radiusMeters: 0,
    name: 'Depot',
    geometry,
  });
  const page = await openFences(scene);
  await edit(page, 'Depot').click();
  await field(page, 'Latitude 4').waitFor();
  // Beside every vertex, and every middle between two.
  await dragOnMap(page, [0, 0], [40, 0]);
  await expectDegrees(page, 'Longitude 1', degreesOf([-60, 0])[0]);
  await field(page, 'Latitude 1').fill(degreesOf([0, 200])[1].toFixed(7));
  const fault = page.getByRole('alert').getByText('The edges cross each other.');
  await fault.waitFor();
  await press(page, 'Undo');
  await fault.waitFor({ state: 'detached' });
  await save(page, 'Depot');
  expectPlaces(await fenceOf(scene, 'Depot'), [-60, -100], [140, -100], [140, 100], [-60, 100]);
});

const SQUARE: readonly MapPlace[] = [
  [-100, -100],
  [100, -100],
  [100, 100],
  [-100, 100],
];
