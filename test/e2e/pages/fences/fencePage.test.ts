// The geofence page on the real gateway: who reaches it, how it looks in every language, and what a member does in it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { type NotifyScene, startNotifyScene } from '../notify/notifyScene.ts';

const FENCE = '/innerpage/fencesetting.html';
const ROW = '[role=row][data-id]';
const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
  await scene.call('chief', 'POST', FENCES_PATH, DEPOT);
});
afterAll(() => scene?.close());

const DEPOT = {
  name: 'Depot',
  enabled: true,
  kind: 'circle',
  geometry: { type: 'Point', coordinates: [121, 23] },
  radiusMeters: 300,
  widthMeters: 0,
  color: '#1a5fb4',
  validFromMs: 0,
  validToMs: 0,
  schedule: [],
  timeZone: '',
  deviceGroups: [],
  devices: [],
  rules: {
    enter: true,
    leave: true,
    insideMinutes: 0,
    outsideMinutes: 0,
    speedKmh: 0,
    parkedMinutes: 0,
    wrongDirection: false,
  },
};

async function lookAt(page: Page, what: string, locale: 'en' | 'zh-TW' | 'jp'): Promise<void> {
  await atBothWidths(page, async (isOther) => {
    if (!isOther) await expectAccessible(page, what);
    await expectFits(page, what);
    expectWords(await page.locator('body').innerText(), locale);
  });
}

describe('S-2.4.15, S-6.2 the geofence page', () => {
  test('is not there for who has `system` alone, nor are its calls', async () => {
    const page = await scene.openPage('limited', FENCE);
    await page.getByText("You don't have permission for this page.").waitFor();
    expect((await page.request.get(FENCES_PATH)).status()).toBe(403);
  });

  test('S-1.2, S-2.1.11, S-2.1.12 is framed with them, as large as the window', async () => {
    const page = await scene.openPage('chief', '/');
    await page.getByRole('navigation').getByRole('link', { name: 'Fence', exact: true }).click();
    await page.frameLocator('iframe').locator(ROW).first().waitFor();
    await expectFramed(page, FENCE);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await scene.openPage('chief', FENCE + query);
      await page.locator(ROW).first().waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });

  test.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await scene.openPage('chief', FENCE, { locale, width, colorScheme });
    await page.locator(ROW).first().waitFor();
    await lookAt(page, 'the list', locale);
    await page.locator(`${ROW} [data-testid=EditOutlinedIcon]`).first().click();
    await page.locator('input[name=name]').waitFor();
    await lookAt(page, 'the form', locale);
  });
});

test('a chief draws a rectangle, changes it by numbers and saves it', async () => {
  const page = await scene.openPage('chief', FENCE, { width: 1280, height: 900 });
  await page.locator('[data-map=ready]').waitFor();
  await page.getByRole('button', { name: 'Add geofence' }).click();
  await page.getByRole('menuitem', { name: 'Rectangle' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Yard');
  await page.getByRole('button', { name: 'Place in the middle of the map' }).click();
  await page.getByRole('textbox', { name: 'North' }).fill('23.01');
  await page.getByRole('textbox', { name: 'South' }).fill('23');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Geofence saved.').waitFor();
  await page.locator(ROW).filter({ hasText: 'Yard' }).waitFor();
});
