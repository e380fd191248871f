// Device Firmware, Datasync and Device Netflow by keyboard alone. The calls of Device Firmware are answered by the test.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { answerFirmware } from '../../../support/firmware/firmwareAnswers.ts';
import { BUS, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { addPlan, addSync, DATASYNC, FIRMWARE, NETFLOW } from './upkeepScene.ts';

const ROW = '[role=row][data-id]';
const DIALOG = ':is([role=dialog], [role=alertdialog])';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
  await addSync(scene);
  await addPlan(scene);
});
afterAll(() => scene?.close());

async function openFirmware(query = ''): Promise<Page> {
  const page = await scene.people.openPage('fitter');
  await answerFirmware(page);
  await page.goto(FIRMWARE + query);
  return page;
}

test('a task is found and its device restarted by keyboard alone', async () => {
  const page = await openFirmware();
  await page.locator(ROW).first().waitFor();
  await page.getByRole('button', { name: 'Open Autumn update' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Autumn update' }).waitFor();
  const row = page.locator(ROW).filter({ hasText: /^Bus 1 \(/ });
  await row.getByRole('button', { name: 'more' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Restart Bus 1' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Restart Bus 1?' });
  await dialog.waitFor();
  await dialog.getByText('Enter ABC-1234 to confirm.').waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.getByRole('button', { name: 'New task' }).waitFor();
});

test("a version's devices are found and one of them restarted by keyboard alone, and Back leads to all versions", async () => {
  const page = await openFirmware('?tab=versions');
  await page.locator(ROW).first().waitFor();
  await page.getByRole('button', { name: 'Show devices with V2.4' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Devices with ACME MDVR-8CH V2.4' }).waitFor();
  await page.getByRole('button', { name: 'more' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Restart Bus 1' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Restart Bus 1?' });
  await dialog.getByText('Enter ABC-1234 to confirm.').waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.locator('.MuiChartsSurface-root').waitFor();
});

test('a recording is fetched later, and another requested, by keyboard alone', async () => {
  const page = await scene.openPage('archivist', DATASYNC);
  await page.getByRole('button', { name: `Pause ${BUS.name} · 2` }).focus();
  await page.keyboard.press('Enter');
  await page.locator(ROW).filter({ hasText: 'Paused' }).waitFor();
  await page.getByRole('button', { name: 'Fetch recordings' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Fetch recordings' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test("a limit is lifted by keyboard alone, and the device's hours are read", async () => {
  const page = await scene.openPage('accountant', NETFLOW);
  await page.getByRole('button', { name: `Hours of ${BUS.name}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator(ROW).filter({ hasText: BUS.name }).getByRole('button', { name: 'more' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: `Lift the limit of ${BUS.name}` }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator(DIALOG);
  await dialog.getByRole('textbox').last().focus();
  await page.keyboard.type('Accident');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Limit lifted.').waitFor();
});
