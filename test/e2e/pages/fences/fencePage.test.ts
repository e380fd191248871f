// The geofence page on the real gateway: geofences of each kind from the pointer into terminals. They are drawn, changed, undone and
// saved; files are imported; then terminals confirm what they are sent, and vehicles drive into it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { CIRCLE, GPS_PLAYBACK, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { type DrawnPlaces, NEAR_DEGREES, placesAround } from './drawnPlaces.ts';
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
  row,
  save,
} from './fenceTools.ts';
import { lapShareFrom, soonestAway, WaitingVehicle } from './waitingVehicle.ts';

const COMMON = { plate: 'KAA-0001', channels: 1, lapShare: 0, positionSeconds: 1 } as const;
const OLDER = { ...COMMON, deviceId: 'VAN2013', name: 'Older van', number: '13900003101', edition: '2013' } as const;
const NEWER = { ...COMMON, deviceId: 'VAN2019', name: 'Newer van', number: '13900003102', edition: '2019' } as const;
const VANS = [OLDER, NEWER];

let scene: TrackScene;
let places: DrawnPlaces;
let vehicles: readonly WaitingVehicle[] = [];
beforeAll(async () => {
  const departure = soonestAway();
  places = placesAround(departure.place);
  scene = await startTrackScene({ vehicles: VANS });
  await addLandmark(scene, departure.place);
  const lapShare = lapShareFrom(departure);
  vehicles = VANS.map((profile) => new WaitingVehicle({ ...profile, lapShare }, scene.product.jt808Port));
});
afterAll(async () => {
  for (const vehicle of vehicles) vehicle.stop();
  await scene?.close();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const typedIn = (page: Page, label: string) => field(page, label).inputValue();

/** Waits until the field has this value, since the form follows what is drawn. */
function expectDegrees(page: Page, label: string, degrees: number): Promise<void> {
  const differs = async () => Math.abs(Number(await typedIn(page, label)) - degrees);
  return expect.poll(differs, { message: `${label} is ${degrees}` }).toBeLessThan(NEAR_DEGREES);
}

/** A vertex is moved, put back and moved again, and one is typed. */
async function drawPolygon(page: Page): Promise<void> {
  await begin(page, 'Polygon', 'Field');
  // The order is that in which the tool keeps a ring: counterclockwise.
  await clickMap(page, [-80, -60], [0, 80], [80, -60]);
  await field(page, 'Latitude 3').waitFor();
  await page.getByText('Click the first one again, or press Enter, to finish.').waitFor();
  await clickMap(page, [-80, -60]);
  await page.getByText('Drag the shape or its vertices.').waitFor();
  await dragOnMap(page, [80, -60], [120, -100]);
  const [before, after] = [places.degreesOf([80, -60])[0], places.degreesOf([120, -100])[0]];
  await expectDegrees(page, 'Longitude 3', after);
  await press(page, 'Undo');
  await expectDegrees(page, 'Longitude 3', before);
  await press(page, 'Redo');
  await expectDegrees(page, 'Longitude 3', after);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  const [lng, lat] = places.degreesOf([0, 100]);
  await field(page, 'Latitude 2').fill(lat.toFixed(7));
  await field(page, 'Longitude 2').fill(lng.toFixed(7));
  await save(page, 'Field');
  places.expectPlaces(await fenceOf(scene, 'Field'), [-80, -60], [120, -100], [0, 100]);
}

/** Its edge is dragged, and its radius typed. */
async function drawCircle(page: Page): Promise<void> {
  await begin(page, 'Circle', 'Well');
  await clickMap(page, [0, 0], [60, 0]);
  const radius = async () => Number(await typedIn(page, 'Radius (m)'));
  await field(page, 'Latitude').waitFor();
  expect(await radius()).toBeCloseTo(places.metersOf(60), -0.5);
  await dragOnMap(page, [60, 0], [100, 0]);
  await expect.poll(radius).toBeGreaterThan(places.metersOf(90));
  await press(page, 'Undo');
  await expect.poll(radius).toBeLessThan(places.metersOf(65));
  await field(page, 'Radius (m)').fill('123');
  await save(page, 'Well');
  const well = await fenceOf(scene, 'Well');
  expect(well).toMatchObject({ kind: 'circle', radiusMeters: 123 });
  places.expectPlaces(well, [0, 0]);
}

/** A corner is dragged, and a side typed. */
async function drawRectangle(page: Page): Promise<void> {
  await begin(page, 'Rectangle', 'Yard');
  await clickMap(page, [-80, -60], [80, 60]);
  await field(page, 'North').waitFor();
  await dragOnMap(page, [80, 60], [120, 90]);
  await expectDegrees(page, 'East', places.degreesOf([120, 0])[0]);
  await field(page, 'North').fill(places.degreesOf([0, -100])[1].toFixed(7));
  await save(page, 'Yard');
  places.expectPlaces(await fenceOf(scene, 'Yard'), [-80, -100], [120, -100], [120, 90], [-80, 90]);
}

/** Its middle is dragged, and its width typed. */
async function drawCorridor(page: Page): Promise<void> {
  await begin(page, 'Corridor', 'Road');
  await clickMap(page, [-100, 0], [0, 0], [100, 40], [100, 40]);
  await field(page, 'Latitude 3').waitFor();
  await dragOnMap(page, [0, 0], [0, -30]);
  await expectDegrees(page, 'Latitude 2', places.degreesOf([0, -30])[1]);
  await field(page, 'Width (m)').fill('120');
  await save(page, 'Road');
  const road = await fenceOf(scene, 'Road');
  expect(road).toMatchObject({ kind: 'corridor', widthMeters: 120 });
  places.expectPlaces(road, [-100, 0], [0, -30], [100, 40]);
}

/** The rectangle is placed without a click on the map. */
async function placeRectangle(page: Page): Promise<void> {
  await begin(page, 'Rectangle', 'Plot');
  await press(page, 'Place in the middle of the map');
  const north = places.degreesOf([0, -150])[1].toFixed(6);
  await field(page, 'North').fill(north);
  await save(page, 'Plot');
  const { geometry } = await fenceOf(scene, 'Plot');
  const [ring = []] = geometry.type === 'Polygon' ? geometry.coordinates : [];
  expect(Math.max(...ring.map(([, lat = 0]) => lat))).toBe(Number(north));
}

const SQUARE: readonly MapPlace[] = [
  [-100, -100],
  [100, -100],
  [100, 100],
  [-100, 100],
];

async function addStoredSquare(): Promise<void> {
  const ring = [...SQUARE, ...SQUARE.slice(0, 1)].map(places.degreesOf);
  const geometry = { type: 'Polygon', coordinates: [ring] };
  await scene.call('chief', 'POST', FENCES_PATH, {
    ...CIRCLE,
    kind: 'polygon',
    radiusMeters: 0,
    name: 'Depot',
    geometry,
  });
}

/** A stored shape is moved as a whole; edges that cross are reported. */
async function moveStoredSquare(page: Page): Promise<void> {
  await edit(page, 'Depot').click();
  await field(page, 'Latitude 4').waitFor();
  // The drag begins away from every vertex, and from every middle between two.
  await dragOnMap(page, [0, 0], [40, 0]);
  await expectDegrees(page, 'Longitude 1', places.degreesOf([-60, 0])[0]);
  await field(page, 'Latitude 1').fill(places.degreesOf([0, 200])[1].toFixed(7));
  const fault = page.getByRole('alert').getByText('The edges cross each other.');
  await fault.waitFor();
  await press(page, 'Undo');
  await fault.waitFor({ state: 'detached' });
  await save(page, 'Depot');
  places.expectPlaces(await fenceOf(scene, 'Depot'), [-60, -100], [140, -100], [140, 100], [-60, 100]);
}

const GEO_JSON = join(import.meta.dirname, '../../../fixtures/fences/geojson.io.geojson');

/** The rows of the file are shown first, on a map too. */
async function importFile(page: Page): Promise<void> {
  await press(page, 'Import');
  const dialog = page.getByRole('dialog', { name: 'Import geofences' });
  await dialog.locator('input[type=file]').setInputFiles(GEO_JSON);
  await field(page, 'Radius of points (m)').fill('80');
  await field(page, 'Width of lines (m)').fill('50');
  // The value is taken when the field is left.
  await page.keyboard.press('Tab');
  await dialog.getByText('Add: 3, change: 0, no change: 0, reject: 1').waitFor();
  const rows = dialog.getByRole('group', { name: 'Rows in the file' }).getByRole('listitem');
  const bad = await rows.filter({ hasText: 'Bow tie' }).innerText();
  for (const text of ['Row 4', 'Reject', 'The edges cross each other.']) expect(bad).toContain(text);
  await dialog.locator('[data-map=ready]').waitFor();
  await dialog.getByRole('button', { name: 'Import (3)' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'Harbor').getByText('Harbor').click();
  await page.getByRole('group', { name: 'Selected geofence' }).getByText('Harbor').waitFor();
  await expect.poll(() => row(page, 'Gate').innerText()).toContain('Circle');
  expect(await fenceOf(scene, 'Pier')).toMatchObject({ kind: 'corridor', widthMeters: 50 });
}

interface NamedFeatures {
  readonly features: readonly { readonly properties: { readonly name: string } }[];
}

async function exportedNames(page: Page): Promise<readonly string[]> {
  const download = page.waitForEvent('download');
  await press(page, 'GeoJSON');
  const { features } = JSON.parse(await readFile(await (await download).path(), 'utf8')) as NamedFeatures;
  return features.map(({ properties }) => properties.name).toSorted();
}

describe('S-2.4.15 the geofence page', () => {
  test('has geofences drawn, changed by pointer and numbers, undone and saved, and imported and exported', async () => {
    await addStoredSquare();
    const page = await openFences(scene);
    await drawPolygon(page);
    await drawCircle(page);
    await drawRectangle(page);
    await drawCorridor(page);
    await placeRectangle(page);
    await moveStoredSquare(page);
    await importFile(page);
    expect(await exportedNames(page)).toEqual(
      ['Depot', 'Field', 'Gate', 'Harbor', 'Landmark', 'Pier', 'Plot', 'Road', 'Well', 'Yard'].toSorted(),
    );
  });

  test('sends geofences of each kind to terminals, which confirm them', async () => {
    const page = await openFences(scene);
    for (const sent of SENT) await sendToTerminal(page, sent);
  });

  test('names them in the events of vehicles that drive into them, and other maps have them', async () => {
    for (const { deviceId } of VANS) expect(await namesIn(deviceId, 'fence-entered')).toEqual([]);
    for (const vehicle of vehicles) vehicle.driveOn();
    for (const { name, kind, vehicle } of SENT) {
      for (const { deviceId } of VANS) await untilTold(deviceId, 'fence-entered', name);
      // Events that the terminal reports by itself carry the name of its geofence.
      await untilTold(vehicle.deviceId, kind === 'corridor' ? 'route-crossed' : 'area-crossed', name);
    }
    const page = await scene.openPage('chief', '/innerpage/historyevent.html');
    for (const { name } of SENT) await page.getByText(`Entered a geofence · ${name}`).first().waitFor();
    await press(page, 'Map');
    const withFences = page.locator('[data-map=ready][data-fences]:not([data-fences="0"])');
    await withFences.waitFor();
    await page.goto(`${GPS_PLAYBACK}?device=BUS1`);
    await withFences.waitFor();
  });
});

interface Sent {
  readonly kind: string;
  readonly name: string;
  readonly vehicle: (typeof VANS)[number];
  /** The page's note about terminals of the edition. */
  readonly note: string;
}

const NOT_READ_BACK = "This terminal can't be read back";
const SENT: readonly Sent[] = [
  { kind: 'circle', name: 'Well', vehicle: OLDER, note: NOT_READ_BACK },
  { kind: 'rectangle', name: 'Yard', vehicle: NEWER, note: '' },
  { kind: 'polygon', name: 'Field', vehicle: NEWER, note: '' },
  { kind: 'corridor', name: 'Road', vehicle: OLDER, note: NOT_READ_BACK },
];

async function sendToTerminal(page: Page, { name, vehicle, note }: Sent): Promise<void> {
  await edit(page, name).click();
  await page.getByRole('tab', { name: 'Terminals' }).click();
  await page.getByRole('combobox', { name: 'Send to devices' }).click();
  await page.getByRole('option', { name: vehicle.name }).click();
  await page.keyboard.press('Escape');
  await press(page, 'Send to terminals');
  const line = row(page, vehicle.name);
  await line.getByText('Confirmed', { exact: true }).waitFor();
  await expect.poll(() => line.innerText()).toContain(note);
  await press(page, 'All geofences');
}

/** The names of the geofences in events of the type. */
async function namesIn(deviceId: string, type: string): Promise<readonly string[]> {
  const path = `${EVENTS_PATH}?deviceid=${deviceId}`;
  const { rows } = (await scene.call('chief', 'GET', path)) as { readonly rows: readonly EventRow[] };
  return rows.filter((event) => event.type === type).map(({ areaName }) => areaName);
}

async function untilTold(deviceId: string, type: string, name: string): Promise<void> {
  await waitFor(
    `${type} of ${deviceId} with ${name}`,
    () => namesIn(deviceId, type),
    (names) => names.includes(name),
  );
}
