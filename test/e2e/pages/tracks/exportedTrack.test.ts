// What GPS Playback exports, as the browser saves it, read by other programs' parsers.
import { readFile } from 'node:fs/promises';
import { gpx as readGpx, kml as readKml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import type { Page } from 'playwright-core';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gpxFaults } from '../../../support/tracks/gpxFaults.ts';
import { BUS, driveOnce, GPS_PLAYBACK, PLACE, spanOfDrive, startTrackScene, type TrackScene } from './trackScene.ts';

/** 75 minutes, each 10 seconds. */
const POINTS = 450;

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const drive = driveOnce(() => scene);

async function openDrive(): Promise<Page> {
  await drive();
  const { fromMs, toMs } = spanOfDrive(scene);
  const page = await scene.openPage('chief', `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${fromMs}&to=${toMs}`);
  await page.locator('[data-map=ready][data-lines="1"]').waitFor();
  return page;
}

/** As a file on the disk. */
async function saved(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format, exact: true }).click(),
  ]);
  return download.path();
}

type Parsed = Parameters<typeof readGpx>[0];
const parse = (text: string) => new DOMParser().parseFromString(text, 'text/xml');

test('S-2.4.3 what is exported from the page is read by other programs', async () => {
  const page = await openDrive();
  const textOf = async (format: string): Promise<string> => readFile(await saved(page, format), 'utf8');

  const gpx = parse(await textOf('GPX'));
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

  const [sheet] = await readSheets(await saved(page, 'Excel (.xlsx)'));
  const [, first = []] = sheet?.data ?? [];
  expect(sheet?.data).toHaveLength(POINTS + 1);
  expect(first).toContain(PLACE.latitude);
  expect(first.some((cell) => cell instanceof Date)).toBe(true);
});
