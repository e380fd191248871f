// Today Event and History Event on the real gateway: who reaches them, and how they look in every language.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectFramed, expectFrameFills, expectOwnDocument } from '../../../support/browser/framedPage.ts';
import { atBothWidths, expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { PASSWORD, textsOf } from '../../../support/gateway/site.ts';
import { type EventScene, HISTORY, startEventScene, TODAY } from './eventScene.ts';

let scene: EventScene;
beforeAll(async () => {
  scene = await startEventScene();
});
afterAll(() => scene?.close());

const PAGES = [
  { id: 'S-2.4.4', name: 'Today Event', path: TODAY, rows: '[data-event-id]' },
  { id: 'S-2.4.5', name: 'History Event', path: HISTORY, rows: '[role=row][data-id]' },
] as const;

describe.each(PAGES)('$id, S-6.2 $name', ({ name, path, rows }) => {
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test('is not there without the permission', async () => {
    const page = await scene.openPage('viewer', '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(path);
    await page.getByText("You don't have permission for this page.").waitFor();
    expect((await page.request.get('/api/event/events')).status()).toBe(403);
  });

  test('S-2.1.11, S-2.1.12 is framed with it, as large as the window', async () => {
    const page = await scene.openPage('operator', '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').locator(rows).first().waitFor();
    await expectFramed(page, path);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await scene.openPage('operator', path + query);
      await page.locator(rows).first().waitFor();
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });

  test('shows no event of a vehicle of others', async () => {
    const page = await scene.openPage('stranger', path);
    await page.getByText(/^No events (today|in this period)/).waitFor();
    expect(await page.locator(rows).count()).toBe(0);
  });
});

test('S-1.1 both are reached by whoever has all permissions', async () => {
  const page = await scene.openPage('chief', '/');
  for (const { name, path } of PAGES) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor();
    await expectOwnDocument(page, path);
  }
});

const LOOKS = [
  ['en', 360, 'light'],
  ['zh-TW', 1280, 'dark'],
  ['jp', 360, 'dark'],
] as const;

describe.each(PAGES)('$name', ({ path, rows }) => {
  test.each(LOOKS)('S-1.4, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await scene.openPage('operator', path, { locale, width, colorScheme });
    await page.locator(rows).first().waitFor();
    await lookAt(page, 'the list', locale);
    await page.locator(rows).first().locator('[role=gridcell]').nth(1).click();
    await page.locator('[data-event]').waitFor();
    await page.locator('[data-map=ready]').waitFor();
    await lookAt(page, 'an event', locale);
    expect(await page.locator('[data-event]').innerText()).toMatch(/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}/);
  });

  /** As it is with axe, which takes its time; in the other width whether it fits. */
  async function lookAt(page: Page, what: string, locale: 'en' | 'zh-TW' | 'jp'): Promise<void> {
    await atBothWidths(page, async (isOther) => {
      if (!isOther) await expectAccessible(page, what);
      await expectFits(page, what);
      expectWords(await page.locator('body').innerText(), locale);
    });
  }
});

describe('Today Event', () => {
  test.each(LOOKS)('asks in dialogs that fit, in every language: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await scene.openPage('operator', TODAY, { locale, width, colorScheme });
    await page.locator('[data-event-id]').first().waitFor();
    await page.locator('[role=grid]').focus();
    for (const key of ['?', 'j', 'c', 'g', 'n']) {
      await page.keyboard.press(key);
      if (key === 'j') continue;
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page, key, '[role=dialog]');
      expectWords(await page.getByRole('dialog').innerText(), locale);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });
});

describe('History Event', () => {
  test('is opened at an event by a link, whoever has to sign in first', async () => {
    const operator = await scene.openPage('operator', HISTORY);
    const row = operator.locator('[role=row][data-id]').first();
    const id = await row.getAttribute('data-id');
    const page = await scene.openStrangersPage(`/historyevent?event=${id}`);
    await page.getByLabel('Username').fill('operator');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const frame = page.frameLocator('iframe');
    await frame.locator(`[data-event="${id}"]`).waitFor();
    await frame.locator('[role=row][data-id]').first().waitFor();
    expect(new URL(page.url()).search).toBe(`?event=${id}`);
  });

  test('says of an event of others that it is not found, and lists the others all the same', async () => {
    const operator = await scene.openPage('operator', HISTORY);
    const id = await operator.locator('[role=row][data-id]').first().getAttribute('data-id');
    const allowed = [{ url: /\/api\/event\/events\/\d+$/, status: 404 }];
    const page = await scene.openPage('stranger', `/historyevent?event=${id}`, { allowed });
    const frame = page.frameLocator('iframe');
    await frame.getByText("Event not found, or you don't have access to it.").waitFor();
    await frame.getByText(/^No events in this period/).waitFor();
  });

  test.each(LOOKS)(
    'S-9.11 counts by day in every language, with its filters and their days: %s, %i px, %s',
    async (...look) => {
      const [locale, width, colorScheme] = look;
      const [from, to] = daysAroundNow();
      const address = `${HISTORY}?view=days&devices=SPARE&from=${from}&to=${to}`;
      const page = await scene.openPage('operator', address, { locale, width, colorScheme });
      await page.locator('table tbody tr').first().waitFor();
      // Most days have no event, and a bar without a height.
      await page.locator('.MuiBarChart-element').first().waitFor({ state: 'attached' });
      await expectAccessible(page, 'the days');
      expect(await openerOf(page, from).count()).toBe(1);
      expect(await openerOf(page, to).count()).toBe(1);
      await atBothWidths(page, async () => {
        await expectFits(page, 'the days');
        expectWords(await page.locator('body').innerText(), locale);
      });
      await openerOf(page, from).click();
      // The days of a Japanese week have no kana.
      expectWords(await page.getByRole('dialog').innerText(), locale === 'jp' ? 'zh-TW' : locale);
    },
  );

  test.each(LOOKS)('on a phone its map and the saved filters are accessible, in every language: %s', async (locale) => {
    const page = await scene.openPage('operator', `${HISTORY}?view=map`, { locale, width: 360 });
    await page.locator('[data-map=ready][data-events="2"]').waitFor();
    await expectAccessible(page, 'the map');
    const name = (await textsOf(page, locale, 'HistoryEvent'))['Saved filters'] ?? '';
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog', { name }).getByRole('button').waitFor();
    await expectAccessible(page, 'the saved filters', '[role=dialog]');
    expectWords(await page.getByRole('dialog').innerText(), locale);
  });

  /** What opens the calendar of a period's end, and names its day. */
  const openerOf = (page: Page, day: string) => page.getByRole('button', { name: new RegExp(`${day}(?!\\d)`) });

  /** Two days ago and in two days: neither is the present day of any zone, whose row in the table is named by it, too. */
  function daysAroundNow(): readonly [string, string] {
    const dayAt = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
    return [dayAt(Date.now() - 2 * 86_400_000), dayAt(Date.now() + 2 * 86_400_000)];
  }
});
