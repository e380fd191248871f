// GPS Playback and Report on the real gateway: a terminal's drive is shown, played, exported into files that other programs' parsers
// read, and reported of, down to a row that leads to its moment.
import { readFile } from 'node:fs/promises';
import { gpx as readGpx, kml as readKml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import type { Download, Page } from 'playwright-core';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { REPORT_JOBS_PATH, type ReportJob, reportJobPath } from '../../../../shared/protocol/api/reports/reports.ts';
import { TRACK_EXPORT_PATH } from '../../../../shared/protocol/api/tracks/track.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { gpxFaults } from '../../../support/tracks/gpxFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';
import {
  BUS,
  CIRCLE,
  driveOnce,
  GPS_PLAYBACK,
  PLACE,
  REPORT,
  spanOfDrive,
  startTrackScene,
  type TrackScene,
} from './trackScene.ts';

const MINUTE_MS = 60_000;
/** 75 minutes, each 10 seconds. */
const POINTS = 450;
const TRIP_METERS = 12_000;
const METERS_PER_DEGREE = 111_320 * Math.cos((PLACE.latitude * Math.PI) / 180);
const ROW = '[role=row][data-id]';
const LINE_SHOWN = '[data-map=ready][data-lines="1"]';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const drive = driveOnce(() => scene);

/** The whole drive, with the clock at its start. */
function addressOfDrive(): string {
  const { fromMs, toMs } = spanOfDrive(scene);
  return `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${fromMs}&to=${toMs}&at=${scene.startMs}`;
}

function metersEast(lng: number): number {
  return (lng - PLACE.longitude) * METERS_PER_DEGREE;
}

/** Where the first trip ends. */
const REST_AREA = {
  ...CIRCLE,
  name: 'Rest area',
  geometry: { type: 'Point', coordinates: [PLACE.longitude + TRIP_METERS / METERS_PER_DEGREE, PLACE.latitude] },
};

interface Shown {
  readonly atMs: number;
  readonly lat: number;
  readonly lng: number;
}

/** Where the map has the clock and the vehicle. */
async function shownBy(page: Page): Promise<Shown> {
  const { at = '', place = '' } = await page
    .locator('[data-map]')
    .evaluate((element) => ({ ...(element as HTMLElement).dataset }));
  const [lat = Number.NaN, lng = Number.NaN] = place.split(' ').map(Number);
  return { atMs: Number(at), lat, lng };
}

function shownWhen(page: Page, accept: (shown: Shown) => boolean): Promise<Shown> {
  return waitFor('the clock and the vehicle', () => shownBy(page), accept);
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click();
}

async function openDrive(): Promise<Page> {
  await drive();
  const allowed = [{ url: /\/api\/track\/export/, status: 503 }];
  const page = await scene.openPage('chief', addressOfDrive(), { height: 1_000, allowed });
  await page.locator(LINE_SHOWN).waitFor();
  return page;
}

// The choice of a device, and that of a vehicle of others: test/dom/pages/gpsplayback.
test('S-2.4.3, S-6.2, S-1.5 GPS Playback plays a drive at the speed that is chosen, leads from a stop to its moment, and exports files that other programs read', async () => {
  await drive();
  await scene.call('chief', 'POST', FENCES_PATH, REST_AREA);
  await expectStartMap();
  const page = await openDrive();
  await expectPlayed(page);
  await expectStop(page);
  await expectExports(page);
  await expectRefusedExport(page);
});

/** Before a device is chosen, a phone has a map, too: there the page is as long as its content. */
async function expectStartMap(): Promise<void> {
  const page = await scene.openPage('chief', GPS_PLAYBACK, { width: 360, height: 740 });
  const box = await page.locator('[data-map=ready]').boundingBox();
  expect(box?.height).toBeGreaterThan(300);
  await page.close();
}

/** The vehicle is where it was. */
async function expectPlayed(page: Page): Promise<void> {
  await page.locator('[data-metric=speed]').waitFor();
  const first = await shownWhen(page, ({ atMs, lat }) => atMs === scene.startMs && !Number.isNaN(lat));
  expect(first.lat).toBeCloseTo(PLACE.latitude, 5);
  expect(first.lng).toBeCloseTo(PLACE.longitude, 5);
  await press(page, 'Play');
  await shownWhen(page, ({ atMs }) => atMs > scene.startMs);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('64');
  await shownWhen(page, ({ atMs }) => atMs > scene.startMs + 2 * MINUTE_MS);
  await press(page, 'Pause');
  const { atMs, lat, lng } = await shownBy(page);
  expect(lat).toBeCloseTo(PLACE.latitude, 4);
  // 36 km/h are a meter in 100 ms.
  expect(Math.abs(metersEast(lng) - (atMs - scene.startMs) / 100)).toBeLessThan(10);
  await page.waitForURL((url) => Math.abs(Number(url.searchParams.get('at')) - atMs) <= 1);
}

/** Clock, vehicle and points are in step. */
async function expectStop(page: Page): Promise<void> {
  await page.locator('[data-fences="1"]').waitFor();
  await page.getByRole('tab', { name: 'Stops (2)' }).click();
  await page.locator('[data-moment]').filter({ hasText: REST_AREA.name }).first().click();
  await page.locator('[data-moment][aria-current=true]').waitFor();
  const isAtStop = ({ atMs }: Shown) => Math.abs(atMs - scene.startMs - 20 * MINUTE_MS) < MINUTE_MS;
  const stopped = await shownWhen(page, isAtStop);
  expect(Math.abs(metersEast(stopped.lng) - TRIP_METERS)).toBeLessThan(200);
  await page.getByRole('tab', { name: 'Points' }).click();
  const current = page.locator('[data-point][aria-current=true]');
  await current.waitFor();
  await press(page, 'Next point');
  const { atMs } = await shownWhen(page, (shown) => shown.atMs > stopped.atMs);
  await page.locator(`[data-point="${atMs}"][aria-current=true]`).waitFor();
}

async function saved(page: Page, format: string): Promise<Download> {
  await press(page, 'Export');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format, exact: true }).click(),
  ]);
  return download;
}

type Parsed = Parameters<typeof readGpx>[0];
const parse = (text: string) => new DOMParser().parseFromString(text, 'text/xml');

async function expectExports(page: Page): Promise<void> {
  const textOf = async (format: string): Promise<string> => readFile(await (await saved(page, format)).path(), 'utf8');

  const file = await saved(page, 'GPX');
  expect(file.suggestedFilename()).toMatch(/\.gpx$/);
  const gpx = parse(await readFile(await file.path(), 'utf8'));
  expect(gpxFaults(gpx)).toEqual([]);
  const [track] = readGpx(gpx as unknown as Parsed).features;
  expect(track?.geometry.type === 'LineString' && track.geometry.coordinates).toHaveLength(POINTS);
  const times = track?.properties?.coordinateProperties?.times as readonly string[];
  expect(Date.parse(times[0] ?? '')).toBe(scene.startMs);

  const [placemark] = readKml(parse(await textOf('KML')) as unknown as Parsed).features;
  expect(placemark?.properties?.coordinateProperties?.times).toHaveLength(POINTS);

  const { features } = JSON.parse(await textOf('GeoJSON')) as { features: { geometry: { type: string } }[] };
  expect(features.filter(({ geometry }) => geometry.type === 'Point')).toHaveLength(POINTS);

  const lines = (await textOf('CSV')).trim().split('\r\n');
  expect(lines).toHaveLength(POINTS + 1);

  const [sheet] = await readSheets(await (await saved(page, 'Excel (.xlsx)')).path());
  const [, first = []] = sheet?.data ?? [];
  expect(sheet?.data).toHaveLength(POINTS + 1);
  expect(first).toContain(PLACE.latitude);
  expect(first.some((cell) => cell instanceof Date)).toBe(true);
}

async function expectRefusedExport(page: Page): Promise<void> {
  const refusal = { status: 503, json: { status: 'error', message: 'The disk is full.' } };
  await page.route(`**${TRACK_EXPORT_PATH}`, (route) => route.fulfill(refusal));
  await press(page, 'Export');
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.locator('[data-kind=error]').waitFor();
}

const parameters = () => reportParameters({ ...spanOfDrive(scene), timeZone: 'Asia/Taipei' });

async function doneJob(): Promise<ReportJob> {
  await drive();
  const request = { kind: 'trips', parameters: parameters() };
  const { id } = (await scene.call('reporter', 'POST', REPORT_JOBS_PATH, request)) as ReportJob;
  return waitFor(
    'the report',
    async () => (await scene.call('reporter', 'GET', reportJobPath(id))) as ReportJob,
    ({ state }) => state === 'done',
  );
}

// Two tests: reports are made at the lowest priority, and a busy machine takes its time for each.
test('a report of trips shows both of them, leads to their moments, and is nobody else’s', async () => {
  const { id } = await doneJob();
  const page = await scene.openPage('reporter', `${REPORT}?job=${id}`);
  const trips = page.locator(ROW).filter({ hasText: '12.0 km' });
  await trips.nth(1).waitFor();
  await expect.poll(() => page.locator(ROW).count()).toBe(2);
  await trips.first().getByRole('link').click();
  await page.waitForURL(/gpsplayback\.html\?.*device=BUS1/);
  for (const other of ['chief', 'stranger'] as const) expect(await scene.statusOf(other, reportJobPath(id))).toBe(404);
});

test('S-1.5 a member asks for a report, sees it come, and runs it again', async () => {
  await drive();
  const page = await scene.openPage('reporter', REPORT);
  await page.getByRole('button', { name: 'New report' }).click();
  const form = page.getByRole('dialog', { name: 'New report' });
  await form.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'Stops' });
  await form.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Today' });
  await form.getByRole('button', { name: 'Run report' }).click();
  const notice = page.locator('[data-kind]').filter({ hasText: 'Report requested.' });
  await notice.waitFor();
  await expect.poll(() => notice.getAttribute('data-kind')).toBe('success');
  const row = page.locator(ROW).filter({ hasText: 'Stops' });
  await row.getByText('Done', { exact: true }).waitFor();
  await row.getByText('Stops', { exact: true }).click();
  await page.getByRole('heading', { name: 'Stops' }).waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('button', { name: 'All reports' }).click();
  await row.nth(1).waitFor();
});
