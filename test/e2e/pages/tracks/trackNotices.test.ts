// What becomes of an act is said by a notice of its kind, on each of the three pages of tracks.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { TRACK_EXPORT_PATH } from '../../../../shared/protocol/api/tracks/track.ts';
import {
  BUS,
  CIRCLE,
  FENCE,
  GPS_PLAYBACK,
  REPORT,
  spanOfDrive,
  startTrackScene,
  type TrackScene,
} from './trackScene.ts';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

async function kindOfNotice(page: Page, text: string): Promise<string | null> {
  const notice = page.locator('[data-kind]').filter({ hasText: text });
  await notice.waitFor();
  return notice.getAttribute('data-kind');
}

test('S-1.5 GPS Playback: an export that the gateway refuses is an error', async () => {
  const { fromMs, toMs } = spanOfDrive(scene);
  const address = `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${fromMs}&to=${toMs}`;
  const allowed = [{ url: /\/api\/track\/export/, status: 503 }];
  const page = await scene.openPage('chief', address, { allowed });
  const refusal = { status: 503, json: { status: 'error', message: 'The disk is full.' } };
  await page.route(`**${TRACK_EXPORT_PATH}`, (route) => route.fulfill(refusal));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.locator('[data-kind]').waitFor();
  expect(await page.locator('[data-kind]').getAttribute('data-kind')).toBe('error');
});

test('S-1.5 Fence: a geofence that was turned off is a success', async () => {
  await scene.call('chief', 'POST', FENCES_PATH, { ...CIRCLE, name: 'Quay' });
  const page = await scene.openPage('chief', FENCE);
  const row = page.locator('[role=row][data-id]').filter({ hasText: 'Quay' });
  await row.getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: 'Turn off Quay' }).click();
  expect(await kindOfNotice(page, 'Quay turned off.')).toBe('success');
});

test('S-1.5 Report: a report that was asked for is a success', async () => {
  const page = await scene.openPage('reporter', REPORT);
  await page.getByRole('button', { name: 'New report' }).click();
  const form = page.getByRole('dialog', { name: 'New report' });
  await form.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'Stops' });
  await form.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Today' });
  await form.getByRole('button', { name: 'Run report' }).click();
  expect(await kindOfNotice(page, 'Report requested.')).toBe('success');
});
