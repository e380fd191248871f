// GPS Playback on the real gateway: who reaches it, and how it looks in every language.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFramed, expectFrameFills, expectOwnDocument } from '../../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { BUSES, type EventScene, positionOf, startEventScene } from '../events/eventScene.ts';

const PATH = '/innerpage/gpsplayback.html';
const NAME = 'GPS Playback';
const [BUS] = BUSES;
const DRIVEN = `?device=${BUS?.deviceId}`;
/** On a day of both positions there is no trip yet: the line has two points, a minute apart. */
const MINUTE_MS = 60_000;

let scene: EventScene;
beforeAll(async () => {
  scene = await startEventScene();
  const terminal = await scene.dial(BUS);
  const nowMs = Date.now();
  for (const [minutesAgo, north] of [
    [2, 0],
    [1, 0.005],
  ] as const) {
    const body = positionOf(0);
    if (body.kind !== 'position') throw new TypeError('the scene says no position');
    const time = (nowMs - minutesAgo * MINUTE_MS) as typeof body.time;
    terminal.say({ ...body, time, latitude: body.latitude + north });
  }
});
afterAll(() => scene?.close());

describe('S-2.4.3, S-6.2 GPS Playback', () => {
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name: NAME, exact: true });

  test('S-1.1 is there for everybody, whatever they may do', async () => {
    const page = await scene.openPage('viewer', '/');
    await tile(page).waitFor();
    await page.goto(PATH + DRIVEN);
    await page.locator('[data-map=ready][data-lines="1"]').waitFor();
    await expectOwnDocument(page, PATH);
  });

  test('S-2.1.11, S-2.1.12 is framed, as large as the window', async () => {
    const page = await scene.openPage('viewer', '/');
    await tile(page).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: NAME, exact: true }).click();
    await page.frameLocator('iframe').getByText('Choose a device to see where it was.').waitFor();
    await expectFramed(page, PATH);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['&nontop=1', false],
    ] as const) {
      const page = await scene.openPage('viewer', PATH + DRIVEN + query);
      await page.locator('[data-map=ready]').waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });

  test('shows nothing of a vehicle of others', async () => {
    const allowed = [{ url: /\/api\/track\//, status: 404 }];
    const page = await scene.openPage('stranger', PATH + DRIVEN, { allowed });
    await page.getByText("Device not found, or you don't have access to it.").waitFor();
    expect(await page.locator('[data-lines]').getAttribute('data-lines')).toBe('0');
  });
});

const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

test.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
  const [locale, width, colorScheme] = look;
  const page = await scene.openPage('chief', PATH + DRIVEN, { locale, width, colorScheme });
  await page.locator('[data-map=ready][data-lines="1"]').waitFor();
  await page.locator('[data-metric=speed]').waitFor();
  for (const tab of ['trips', 'stops', 'events', 'points']) {
    await page.locator(`#tab-${tab}`).click();
    await atBothWidths(page, async (isOther) => {
      if (!isOther) await expectAccessible(page, tab);
      await expectFits(page, tab);
      expectWords(await page.locator('body').innerText(), locale);
    });
  }
  await page.locator('[data-point]').first().waitFor();
});
