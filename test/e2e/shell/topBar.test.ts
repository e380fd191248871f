import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectMainPadding } from '../../support/browser/framedPage.ts';
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

describe('the top bar', () => {
  test('S-2.3.1, S-2.3.2 shows a small loaded logo and the title', async () => {
    answerServer(site.tap, { web_title: 'ACME' });
    const page = await newPage(site, { user: 'chief' });
    for (const address of [BAR, '/']) {
      await page.goto(address);
      await page.getByRole('banner').getByText('ACME').waitFor();
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
  });

  test('S-2.3.3, S-2.3.4, S-3.7, S-9.14, S-9.18 has no search where nobody asks for one, and offers en, zh-TW and jp in a select of 140 px at least', async () => {
    const page = await newPage(site);
    await page.goto(BAR);
    await select(page).waitFor();
    await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
    const options = await select(page)
      .locator('option')
      .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
    expect(options).toEqual(['en', 'zh-TW', 'jp']);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      for (const locale of ['en', 'zh-TW', 'jp']) {
        await select(page).selectOption(locale);
        expect((await select(page).boundingBox())?.width, `${locale} at ${width}`).toBeGreaterThanOrEqual(140);
      }
    }
  });

  test('S-2.1.16 alone it has an empty title, also when the server has a name', async () => {
    answerServer(site.tap, { web_title: 'ACME' });
    const page = await newPage(site);
    await page.clock.install();
    await page.goto(BAR);
    await page.getByText('ACME').waitFor();
    await page.clock.runFor(2_000);
    expect(await page.title()).toBe('');
  });

  // Every other value: test/unit/shared/api/pageFlags.test.ts.
  test('S-2.3.5, S-2.3.6, S-5.2 is left out with nontop=1, and the padding of main and what wraps it with it', async () => {
    const page = await newPage(site, { user: 'chief' });
    for (const [query, isShown] of [
      ['?nontop=1', false],
      ['', true],
    ] as const) {
      for (const address of ['/', BAR]) {
        const requests = site.tap.requests({ path: SERVER_PATH }).length;
        await page.goto(address + query);
        // Asked for by what is rendered: whatever the page shows is there by then.
        await waitFor('the server information', () => site.tap.requests({ path: SERVER_PATH }).length > requests);
        if (address === '/') await page.getByRole('main').getByRole('link').first().waitFor();
        if (isShown) await page.getByRole('banner').waitFor();
        await expect.poll(() => page.getByRole('banner').count(), { message: address + query }).toBe(isShown ? 1 : 0);
        if (address === '/') await expectMainPadding(page, isShown);
      }
    }
  });

  test('A-29 the shell hands nontop on to the frame, to other pages and to sign-in', async () => {
    const page = await newPage(site, { user: 'chief', ownSession: true });
    await openShell(page, '/?nontop=1');
    await page.getByRole('navigation').getByRole('link', { name: 'Report' }).click();
    await expect.poll(() => page.locator('iframe').getAttribute('src')).toBe('/innerpage/report.html?nontop=1');
    expect(new URL(page.url()).search).toBe('?nontop=1');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(/login\.html\?nontop=1$/);
  });
});

describe('the language', () => {
  const languageOf = (page: Page) => page.getByRole('combobox').filter({ has: page.locator('option[value="zh-TW"]') });

  test('S-4.9, S-3.8 changes at once, without a navigation, in the frame too, and is stored', async () => {
    const page = await newPage(site, { user: 'chief' });
    // Stands in for an inner page, which has the same top bar.
    site.tap.when(
      { path: '/innerpage/report.html' },
      { kind: 'answer', status: 302, headers: { location: BAR }, body: '' },
    );
    await openShell(page);
    const navigations: string[] = [];
    page.on('framenavigated', (frame) => navigations.push(frame.url()));
    const logout = (await textsOf(page, 'jp', 'Common')).Logout ?? '';
    await select(page).selectOption('jp');
    await within(500, () => page.getByRole('button', { name: logout }).waitFor());
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ja');
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('jp');
    expect(navigations).toEqual([]);

    const report = (await textsOf(page, 'jp', 'Menu')).Report ?? '';
    await page.getByRole('navigation').getByRole('link', { name: report }).click();
    const framed = page.frameLocator('iframe');
    await framed.getByRole('combobox').selectOption('zh-TW');
    const inChinese = (await textsOf(page, 'zh-TW', 'Common')).Logout ?? '';
    await within(1_000, () => page.getByRole('button', { name: inChinese }).waitFor());
    await expect.poll(() => framed.locator('html').getAttribute('lang')).toBe('zh-Hant-TW');
  });

  test('S-4.10 a change in one tab changes the other', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    const other = await page.context().newPage();
    await other.goto(BAR);
    await other.getByRole('combobox').selectOption('zh-TW');
    const logout = (await textsOf(page, 'zh-TW', 'Common')).Logout ?? '';
    await within(1_000, () => page.getByRole('button', { name: logout }).waitFor());
    await expect.poll(() => page.getByRole('banner').getByRole('combobox').inputValue()).toBe('zh-TW');
  });

  // Every other browser: test/unit/shared/i18n/languages.test.ts and test/dom/i18n/start.test.ts.
  test.each([
    ['zh-HK', undefined, 'zh-TW'],
    ['ja-JP', 'zh-TW', 'zh-TW'],
  ])('S-7.19, A-18 a browser in %s with %s stored starts in %s', async (locale, stored, expected) => {
    const page = await newPage(site, { locale });
    if (stored !== undefined) await page.addInitScript((value) => localStorage.setItem('language', value), stored);
    await page.goto(BAR);
    await expect.poll(() => select(page).inputValue()).toBe(expected);
    const requests = site.tap.requests({ path: /^\/locales\/load\// }).map((request) => request.path.split('/')[3]);
    expect([...new Set(requests)].sort()).toEqual([...new Set(['en', expected])].sort());
  });

  test('S-1.4 every page speaks each language, and shows no raw key', async () => {
    const page = await newPage(site, { user: 'chief' });
    for (const address of ['/', '/nothing', '/innerpage/login.html']) {
      await page.goto(address);
      await page.getByRole('main').locator('h1').first().waitFor({ state: 'attached' });
      for (const [locale, tag] of [
        ['en', 'en'],
        ['zh-TW', 'zh-Hant-TW'],
        ['jp', 'ja'],
      ] as const) {
        await languageOf(page).selectOption(locale);
        await page.locator(`html[lang=${tag}]`).waitFor();
        const text = await page.locator('body').innerText();
        expect(text.split('\n').filter((line) => /^[A-Za-z]+\.[A-Za-z.]+$/.test(line))).toEqual([]);
        if (locale !== 'en') expect(text).toMatch(/\p{Script=Han}/u);
        if (locale === 'jp') expect(text).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}]/u);
      }
    }
  });
});

describe('the cleanup', () => {
  test('S-9.15 takes away the container four levels above a dismiss button, again and again', async () => {
    const page = await newPage(site, { user: 'chief' });
    await page.clock.install();
    await openShell(page);
    const insert = () =>
      page.evaluate(() =>
        document.body.insertAdjacentHTML(
          'beforeend',
          '<p id="beside"></p><div id="k"><div><div><div><button class="dismissButton"></button></div></div></div></div>',
        ),
      );
    for (let round = 0; round < 2; round++) {
      await insert();
      await page.clock.runFor(1_000);
      await expect.poll(() => page.locator('#k').count()).toBe(0);
      await expect.poll(() => page.locator('#beside').count()).toBeGreaterThan(0);
    }
    await page.evaluate(() =>
      document.body.insertAdjacentHTML(
        'beforeend',
        '<div><div><button id="b" class="dismissButton"></button></div></div>',
      ),
    );
    await page.clock.runFor(1_300);
    await expect.poll(() => page.locator('#b').count()).toBe(1);
    await expect.poll(() => page.getByRole('navigation').count()).toBe(1);
  });
});

describe('the title', () => {
  test('S-2.1.14 is the servers within a second of the answer', async () => {
    answerServer(site.tap, { web_title: 'ACME 監視' });
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    await within(1_000, () => page.waitForFunction(() => document.title === 'ACME 監視'));
  });

  test('S-2.1.15, S-9.20 is the same product name when the server has none or does not answer', async () => {
    const page = await newPage(site, { user: 'chief', allowed: [{ url: /\/api\/system\/server$/, status: 500 }] });
    const titles: string[] = [];
    for (const answer of [
      { body: { error: false, data: {} } },
      { body: { error: false, data: { web_title: '' } } },
      { body: { error: false, data: { web_title: null } } },
      { status: 500, body: { error: true, message: 'down' } },
    ]) {
      site.tap.when({ path: SERVER_PATH }, { kind: 'answer', ...answer });
      const requests = site.tap.requests({ path: SERVER_PATH }).length;
      await openShell(page);
      await waitFor('the call', () => site.tap.requests({ path: SERVER_PATH }).length === requests + 1);
      titles.push(await page.title());
    }
    expect(new Set(titles).size).toBe(1);
    expect(titles[0]).not.toBe('');
  });
});
