// The three pages of tracks on the real gateway: who reaches them, and how they stand in the shell.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { REPORT_JOBS_PATH, REPORT_KINDS_PATH } from '../../../../shared/protocol/api/reports/reports.ts';
import { type FramedPage, testFramedPage } from './framedPageTests.ts';
import { CIRCLE, FENCE, GPS_PLAYBACK, REPORT, startTrackScene, type TrackScene } from './trackScene.ts';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const PAGES = [
  { id: 'S-2.4.3', name: 'GPS Playback', path: GPS_PLAYBACK, member: 'viewer', calls: [] },
  { id: 'S-2.4.6', name: 'Report', path: REPORT, member: 'reporter', calls: [REPORT_KINDS_PATH, REPORT_JOBS_PATH] },
  { id: 'S-2.4.15', name: 'Fence', path: FENCE, member: 'chief', calls: [FENCES_PATH] },
] as const satisfies readonly (FramedPage & { readonly id: string })[];

describe.each(PAGES)('$id, S-6.2 $name', (framed) => testFramedPage(() => scene, framed));

test('S-2.2.1 whoever has no permission has the tiles of the dashboard and of GPS Playback', async () => {
  const page = await scene.openPage('viewer', '/');
  const links = page.getByRole('main').getByRole('link');
  await links.first().waitFor();
  expect(await links.allInnerTexts()).toEqual(['Dashboard', 'GPS Playback']);
});

test.each([
  ['History Event', '/innerpage/historyevent.html?view=map'],
  ['GPS Playback', `${GPS_PLAYBACK}?device=BUS1`],
])("the group's geofences are on the map of %s", async (_name, path) => {
  await scene.call('chief', 'POST', FENCES_PATH, { ...CIRCLE, name: 'Pier' });
  const page = await scene.openPage('chief', path);
  await page.locator('[data-map=ready][data-fences]:not([data-fences="0"])').waitFor();
});
