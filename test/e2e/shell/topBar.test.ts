import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { answerServer, SERVER_PATH } from '../../support/fakes/fakeUsers.ts';
import { newPage, openShell, type Site, sharedSite, textsOf } from '../../support/gateway/site.ts';
import { within } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const BAR = '/innerpage/topbar.html';
const select = (page: Page) => page.getByRole('banner').getByRole('combobox');
const logoutIn = async (page: Page, locale: string) => {
  const name = (await textsOf(page, locale, 'Common')).Logout ?? '';
  return page.getByRole('button', { name });
};

test('S-2.3.1, S-2.3.2, S-2.1.14 the bar of the shell has a small loaded logo and the title, which is the document’s, too; S-4.9, S-3.8, S-4.10 the language changes at once, in the frame and in another tab, too, and is stored; S-9.15 what has a dismiss button goes', async () => {
  answerServer(site.tap, { web_title: 'ACME 監視' });
  // Stands in for an inner page, which has the same top bar.
  const redirect = { status: 302, headers: { location: BAR }, body: '' };
  site.tap.when({ path: '/innerpage/report.html' }, { kind: 'answer', ...redirect });
  const page = await newPage(site, { user: 'chief' });
  await openShell(page);
  await within(1_000, () => page.waitForFunction(() => document.title === 'ACME 監視'));
  await page.getByRole('banner').getByText('ACME 監視').waitFor();
  await expectLogo(page);

  const navigations: string[] = [];
  page.on('framenavigated', (frame) => navigations.push(frame.url()));
  const inJapanese = await logoutIn(page, 'jp');
  await select(page).selectOption('jp');
  await within(500, () => inJapanese.waitFor());
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ja');
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('jp');
  expect(navigations).toEqual([]);

  const report = (await textsOf(page, 'jp', 'Menu')).Report ?? '';
  await page.getByRole('navigation').getByRole('link', { name: report }).click();
  const framed = page.frameLocator('iframe');
  const inChinese = await logoutIn(page, 'zh-TW');
  await framed.getByRole('combobox').selectOption('zh-TW');
  await within(1_000, () => inChinese.waitFor());
  await expect.poll(() => framed.locator('html').getAttribute('lang')).toBe('zh-Hant-TW');

  // The bar of the shell itself is on the home page.
  await page.goBack();
  await expect.poll(() => select(page).inputValue()).toBe('zh-TW');
  const other = await page.context().newPage();
  await other.goto(BAR);
  await other.getByRole('combobox').selectOption('en');
  await within(1_000, () => page.getByRole('button', { name: 'Logout' }).waitFor());
  await expect.poll(() => select(page).inputValue()).toBe('en');
  await other.close();

  await page.evaluate(() => {
    const dismissed = '<div id="k"><div><div><div><button class="dismissButton"></button></div></div></div></div>';
    document.body.insertAdjacentHTML('beforeend', `<p id="beside"></p>${dismissed}`);
  });
  await page.locator('#k').waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('#beside').count()).toBe(1);
});

async function expectLogo(page: Page): Promise<void> {
  const logo = page.getByRole('banner').getByRole('img').first();
  const height = (await logo.boundingBox())?.height;
  expect(height).toBeGreaterThanOrEqual(16);
  expect(height).toBeLessThanOrEqual(64);
  // Rejects when the file is not there, or is no image.
  const width = await logo.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  expect(width).toBeGreaterThan(0);
}

// Every other browser: test/unit/shared/i18n/languages.test.ts and test/dom/i18n/start.test.ts.
test('S-2.1.16 the bar alone has an empty title; S-7.19, A-18 starts in the browser’s language; S-2.3.3, S-2.3.4, S-3.7, S-9.14, S-9.18 has no search, and offers en, zh-TW and jp in a select of 140 px at least; S-2.3.5, S-5.2 is left out with nontop=1', async () => {
  answerServer(site.tap, { web_title: 'ACME' });
  const page = await newPage(site, { locale: 'zh-HK' });
  await page.goto(BAR);
  await page.getByText('ACME').waitFor();
  await expect.poll(() => select(page).inputValue()).toBe('zh-TW');
  const read = site.tap.requests({ path: /^\/locales\/load\// }).map((request) => request.path.split('/')[3]);
  expect([...new Set(read)].sort()).toEqual(['en', 'zh-TW']);
  expect(await page.title()).toBe('');
  await expect.poll(() => page.getByRole('banner').getByRole('img').count()).toBe(1);
  await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
  const options = await select(page)
    .locator('option')
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
  expect(options).toEqual(['en', 'zh-TW', 'jp']);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    for (const locale of ['en', 'jp', 'zh-TW']) {
      await select(page).selectOption(locale);
      expect((await select(page).boundingBox())?.width, `${locale} at ${width}`).toBeGreaterThanOrEqual(140);
    }
  }

  const before = site.tap.requests({ path: SERVER_PATH }).length;
  await page.goto(`${BAR}?nontop=1`);
  // Asked for by what is rendered: whatever the page shows is there by then.
  await waitFor('the server information', () => site.tap.requests({ path: SERVER_PATH }).length > before);
  await expect.poll(() => page.getByRole('banner').count()).toBe(0);
});
