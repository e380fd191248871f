// Reports as a member asks for them, on the real gateway: from the drive of a terminal to a row that leads to its moment.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  REPORT_JOBS_PATH,
  type ReportJob,
  type ReportParameters,
  reportJobPath,
} from '../../../../shared/protocol/api/reports/reports.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectWords } from '../../../support/browser/words.ts';
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

test('a member asks for a report, sees it come, and runs it again', async () => {
  await drive();
  const page = await scene.openPage('reporter', REPORT);
  await page.getByRole('button', { name: 'New report' }).click();
  const form = page.getByRole('dialog', { name: 'New report' });
  await form.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'Stops' });
  await form.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Today' });
  await form.getByRole('button', { name: 'Run report' }).click();
  const row = page.locator(ROW).filter({ hasText: 'Stops' });
  await row.getByText('Done', { exact: true }).waitFor();
  await row.getByText('Stops', { exact: true }).click();
  await page.getByRole('heading', { name: 'Stops' }).waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('button', { name: 'All reports' }).click();
  await row.nth(1).waitFor();
});

test.each([
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const)('S-1.4, S-9.11 reports are accessible in every language, and fit: %s, %i px, %s', async (...look) => {
  const [locale, width, colorScheme] = look;
  const { id } = await doneJob();
  const page = await scene.openPage('reporter', REPORT, { locale, width, colorScheme });
  await page.locator(ROW).first().waitFor();
  await lookAt(page, 'the list', locale);
  await page.goto(`${REPORT}?tab=schedules`);
  await page.getByRole('grid').waitFor();
  await lookAt(page, 'the schedules', locale);
  await page.goto(`${REPORT}?job=${id}`);
  await page.locator(ROW).first().waitFor();
  await lookAt(page, 'the result', locale);
});

async function lookAt(page: Page, what: string, locale: 'en' | 'zh-TW' | 'jp'): Promise<void> {
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what);
    await expectFits(page, what);
    expectWords(await page.locator('body').innerText(), locale);
  });
}
