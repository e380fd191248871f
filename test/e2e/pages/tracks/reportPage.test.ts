// Reports as a member asks for them, on the real gateway: from the drive of a terminal to a row that leads to its moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  REPORT_JOBS_PATH,
  type ReportJob,
  type ReportParameters,
  reportJobPath,
} from '../../../../shared/protocol/api/reports/reports.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { driveOnce, REPORT, spanOfDrive, startTrackScene, type TrackScene } from './trackScene.ts';

const ROW = '[role=row][data-id]';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const drive = driveOnce(() => scene);

function parameters(): ReportParameters {
  return {
    period: 'from-to',
    ...spanOfDrive(scene),
    timeZone: 'Asia/Taipei',
    deviceGroups: [],
    devices: [],
    eventTypes: [],
    fences: [],
    members: [],
    leastMinutes: 0,
    speedKmh: 0,
  };
}

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

test('a report of trips shows both of them, leads to their moments, and is nobody else’s', async () => {
  const { id } = await doneJob();
  const page = await scene.openPage('reporter', `${REPORT}?job=${id}`);
  await page.locator(ROW).nth(1).waitFor();
  const texts = await page.locator(ROW).allInnerTexts();
  expect(texts).toHaveLength(2);
  for (const text of texts) expect(text).toContain('12.0 km');
  await page.locator(ROW).first().getByRole('link').click();
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
