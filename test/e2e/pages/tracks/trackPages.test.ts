// The three pages of tracks on the real gateway: who reaches them, and how they stand in the shell.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { REPORT_JOBS_PATH, REPORT_KINDS_PATH } from '../../../../shared/protocol/api/reports/reports.ts';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import {
  CIRCLE,
  FENCE,
  GPS_PLAYBACK,
  REPORT,
  startTrackScene,
  type TrackMember,
  type TrackScene,
} from './trackScene.ts';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const PAGES = [
  { id: 'S-2.4.3', name: 'GPS Playback', path: GPS_PLAYBACK, member: 'viewer', calls: [] },
  { id: 'S-2.4.6', name: 'Report', path: REPORT, member: 'reporter', calls: [REPORT_KINDS_PATH, REPORT_JOBS_PATH] },
  { id: 'S-2.4.15', name: 'Fence', path: FENCE, member: 'chief', calls: [FENCES_PATH] },
] as const satisfies readonly { readonly member: TrackMember; readonly [name: string]: unknown }[];

describe.each(PAGES)('$id, S-6.2 $name', ({ name, path, member, calls }) => {
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test.runIf(calls.length > 0)('S-6.3 is not there for who has `system` alone, nor are its calls', async () => {
    const page = await scene.openPage('limited', '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(path);
    await page.getByText("You don't have permission for this page.").waitFor();
    for (const call of calls) expect(await scene.statusOf('limited', call), call).toBe(403);
  });

  test('S-1.1, S-1.2, S-2.1.11, S-2.1.12 is framed for whoever may see it, as large as the window', async () => {
    const page = await scene.openPage(member, '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').getByRole('main').waitFor();
    await expectFramed(page, path);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await scene.openPage(member, path + query);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });
});

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
