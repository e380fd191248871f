import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MENU_PAGES, type MenuPage } from '../../../shared/protocol/menuPages.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallSeconds } from '../../../shared/protocol/time.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import {
  answerGroups,
  answerServer,
  answerUser,
  GROUPS_PATH,
  SERVER_PATH,
  STATUS_PATH,
} from '../../support/fakes/fakeUsers.ts';
import { GROUP_NAMES, newPage, openShell, type Site, sharedSite, textsOf } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const MEMBER_PATH = '/api/system/member';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => site.tap.reset());

const menu = (page: Page) => page.getByRole('navigation');
// The way to one's own account is an icon beside the name, and no entry.
const entries = (page: Page) => menu(page).getByRole('link').filter({ hasText: /\S/ }).allTextContents();
const tiles = (page: Page) => page.getByRole('main').getByRole('link');
const framePath = (page: Page) =>
  page.evaluate(() => document.querySelector('iframe')?.contentWindow?.location.pathname ?? '');

// Every page of the table, with its permissions and without: test/dom/shell/permissions.test.tsx.
describe('a page of the table: its permission, its tile, its menu entry, its frame', () => {
  const samples = MENU_PAGES.map((row, index) => ({ ...row, id: `S-2.4.${index + 1}` }));

  test.each(samples.filter(({ name }) => name === 'Account'))('$id $name', async ({ name, src, permission }) => {
    const page = await newPage(site, { user: 'chief' });
    const enough = ['system', ...(permission === null ? [] : [permission])];
    for (const tooFew of enough.map((left) => enough.filter((each) => each !== left))) {
      const again = answerUser(site.tap, { permission: tooFew });
      await openShell(page);
      await tiles(page).first().waitFor();
      expect(await entries(page), `with ${tooFew}`).not.toContain(name);
      await expect.poll(() => tiles(page).allTextContents(), { message: `with ${tooFew}` }).not.toContain(name);
      again();
    }
    answerUser(site.tap, { permission: enough });
    await openShell(page);
    await tiles(page).first().waitFor();
    expect(await entries(page)).toContain(name);
    await expect.poll(() => tiles(page).allTextContents()).toContain(name);
    await menu(page).getByRole('link', { name, exact: true }).click();
    await waitFor(
      `the frame of ${src}`,
      () => framePath(page),
      (path) => path === src,
    );
    await expect.poll(() => page.locator('iframe').count()).toBe(1);
  });

  test('S-2.4.20 all of them lie below /innerpage/', () => {
    expect(MENU_PAGES.filter((row) => row.src !== '/' && !row.src.startsWith('/innerpage/'))).toEqual([]);
  });
});

describe('the side menu', () => {
  test('S-2.1.2, S-2.1.3 has a loaded logo and the user name as plain text', async () => {
    answerUser(site.tap, { username: 'Zoë <b>' });
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    const logo = menu(page).getByRole('img').first();
    await waitFor('the logo', () => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth));
    expect((await logo.boundingBox())?.width).toBeGreaterThan(0);
    await expect.poll(() => menu(page).getByText('Zoë <b>', { exact: true }).count()).toBe(1);
    await expect.poll(() => menu(page).locator('b').count()).toBe(0);
  });

  test('S-6.1, S-6.3 a permission that nobody knows changes nothing, and system alone opens no admin page', async () => {
    const page = await newPage(site, { user: 'chief' });
    for (const [permission, shown] of [
      [
        ['root', 'event'],
        ['Home', 'Dashboard', 'GPS Playback', 'Today Event', 'History Event'],
      ],
      [['system'], ['Home', 'Dashboard', 'GPS Playback']],
    ] as const) {
      answerUser(site.tap, { permission });
      await openShell(page);
      expect(await entries(page)).toEqual(shown);
    }
  });

  test('S-6.2, S-6.3 three kinds of user see what is theirs', async () => {
    const seen: Record<string, number> = {};
    for (const user of ['chief', 'operator', 'viewer'] as const) {
      const page = await newPage(site, { user });
      await openShell(page);
      seen[user] = (await entries(page)).length;
    }
    expect(seen).toEqual({ chief: 19, operator: 6, viewer: 3 });
  });

  test('S-2.1.11, S-2.1.13, S-2.2.6 tiles and menu lead to the page, its entry is marked, Back returns', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    await tiles(page).filter({ hasText: 'Report' }).click();
    await waitFor(
      'the frame',
      () => framePath(page),
      (path) => path === '/innerpage/report.html',
    );
    await expect.poll(() => menu(page).locator('[aria-current=page]').allTextContents()).toEqual(['Report']);
    await menu(page).getByRole('link', { name: 'Fence' }).click();
    await waitFor(
      'the next frame',
      () => framePath(page),
      (path) => path === '/innerpage/fencesetting.html',
    );
    expect(new URL(page.url()).pathname).toBe('/fencesetting');
    await page.goBack();
    await waitFor(
      'the frame before',
      () => framePath(page),
      (path) => path === '/innerpage/report.html',
    );
    await page.goBack();
    await tiles(page).first().waitFor();
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
    await page.goForward();
    await waitFor(
      'the frame again',
      () => framePath(page),
      (path) => path === '/innerpage/report.html',
    );
  });

  test('S-2.2.6 a tile leads to its page by Enter', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    await tiles(page).first().waitFor();
    for (const name of ['Dashboard', 'System Backup']) {
      await tiles(page)
        .filter({ hasText: new RegExp(`^${name}$`) })
        .press('Enter');
      const expected = MENU_PAGES.find((row: MenuPage) => row.name === name)?.src;
      await waitFor(
        `the frame of ${name}`,
        () => framePath(page),
        (path) => path === expected,
      );
      await expect.poll(() => menu(page).locator('[aria-current=page]').allTextContents()).toEqual([name]);
      await menu(page).getByRole('link', { name: 'Home', exact: true }).click();
      await tiles(page).first().waitFor();
    }
  });

  test('A-10 a deep link opens its page, also after a reload', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page, '/eventconfig');
    await waitFor(
      'the frame',
      () => framePath(page),
      (path) => path === '/innerpage/eventconfig.html',
    );
    await page.reload();
    await waitFor(
      'the frame again',
      () => framePath(page),
      (path) => path === '/innerpage/eventconfig.html',
    );
  });
});

describe('the tiles', () => {
  test('S-2.2.1, S-2.2.2, S-2.2.4, S-6.7 eight, a separator, ten; each with a drawing of its own', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    await tiles(page).first().waitFor();
    const expected = MENU_PAGES.filter((row) => row.name !== 'Home').map((row) => row.name);
    await expect.poll(() => tiles(page).allTextContents()).toEqual(expected);
    const separator = await page.getByRole('separator').boundingBox();
    const tops = await tiles(page).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top));
    expect(tops.filter((top) => top < (separator?.y ?? 0))).toHaveLength(8);
    const drawings = await tiles(page).evaluateAll((all) =>
      all.map((tile) => {
        const svg = tile.querySelector('svg');
        const { width = 0, height = 0 } = svg?.getBoundingClientRect() ?? {};
        return width >= 16 && height >= 16 ? svg?.innerHTML : '';
      }),
    );
    expect(new Set(drawings.filter((drawing) => drawing !== '')).size).toBe(18);
  });

  test('S-2.2.1, A-20 two without permissions, and no separator', async () => {
    const page = await newPage(site, { user: 'viewer' });
    await openShell(page);
    await tiles(page).first().waitFor();
    await expect.poll(() => tiles(page).allTextContents()).toEqual(['Dashboard', 'GPS Playback']);
    await expect.poll(() => page.getByRole('separator').count()).toBe(0);
  });

  test('S-2.2.5, S-7.18 bear their names in each language', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    for (const locale of ['zh-TW', 'jp', 'en']) {
      await page.getByRole('banner').getByRole('combobox').selectOption(locale);
      const texts = await textsOf(page, locale, 'Menu');
      const expected = MENU_PAGES.filter((row) => row.name !== 'Home').map((row) => texts[row.name]);
      await waitFor(
        `the names in ${locale}`,
        () => tiles(page).allTextContents(),
        (names) => names.join() === expected.join(),
      );
    }
  });
});

describe('the group selector', () => {
  const select = (page: Page) => page.getByRole('combobox', { name: 'Member group' });

  test('S-2.1.5, S-3.2, S-5.6, S-7.4 is there with the groups, the current one chosen, and not without groups', async () => {
    const page = await newPage(site, { user: 'chief' });
    await openShell(page);
    // The menu is there before the answer with the groups.
    await select(page).waitFor();
    await expect.poll(() => select(page).locator('option').allTextContents()).toEqual([...GROUP_NAMES]);
    await expect.poll(() => select(page).locator('option:checked').textContent()).toBe(GROUP_NAMES[1]);
    answerGroups(site.tap, []);
    site.tap.requests();
    await openShell(page);
    await waitFor('the call for groups', () => site.tap.requests({ path: GROUPS_PATH }).length === 2);
    await tiles(page).first().waitFor();
    await expect.poll(() => select(page).count()).toBe(0);
  });

  test('S-6.4 without the permission nobody asks for groups, and the gateway refuses', async () => {
    const page = await newPage(site, { user: 'viewer' });
    await openShell(page);
    await tiles(page).first().waitFor();
    expect(site.tap.requests({ path: GROUPS_PATH })).toEqual([]);
    await expect.poll(() => select(page).count()).toBe(0);
    const origin = site.tap.address;
    expect((await page.request.get(GROUPS_PATH)).status()).toBe(403);
    const put = await page.request.put(MEMBER_PATH, {
      data: { self: true, membergroup: 1 },
      headers: { origin },
    });
    expect(put.status()).toBe(403);
  });

  test('S-4.3, S-7.5, A-31 a change is sent, the status asked for once, the page loaded anew in the same document', async () => {
    const page = await newPage(site, { user: 'operator' });
    await openShell(page, '/report');
    const origin = await page.evaluate(() => performance.timeOrigin);
    await page.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
    // The shell's own: the framed page, before and after, asks for itself.
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (![STATUS_PATH, MEMBER_PATH].includes(pathname)) return;
      if (request.frame() === page.mainFrame()) asked.push(`${request.method()} ${pathname}`);
    });

    await select(page).selectOption({ label: GROUP_NAMES[0] });
    await page.locator('iframe:not([data-before])').waitFor();

    const [put] = site.tap.requests({ method: 'PUT', path: MEMBER_PATH });
    expect(JSON.parse(put?.body ?? '')).toEqual({ self: true, membergroup: 1 });
    expect(asked).toEqual([`PUT ${MEMBER_PATH}`, `GET ${STATUS_PATH}`]);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(origin);
    await expect.poll(() => select(page).locator('option:checked').textContent()).toBe(GROUP_NAMES[0]);
    await page.reload();
    await waitFor(
      'the group again',
      () => select(page).locator('option:checked').textContent(),
      (name) => name === GROUP_NAMES[0],
    );
  });

  test('S-4.3 the menu follows the permissions of the new group, in the same document', async () => {
    const page = await newPage(site, { user: 'operator' });
    const entry = menu(page).getByRole('link', { name: 'Report', exact: true });
    await openShell(page);
    await entry.waitFor();
    const origin = await page.evaluate(() => performance.timeOrigin);
    // It comes with the groups; a list of options is read as it is.
    await select(page).waitFor();
    const [from, to] = await select(page)
      .locator('option')
      .evaluateAll((all) => {
        const chosen = (option: Element) => (option as HTMLOptionElement).selected;
        return [all.find(chosen)?.textContent ?? '', all.find((option) => !chosen(option))?.textContent ?? ''];
      });
    site.tap.when({ method: 'PUT', path: MEMBER_PATH }, { kind: 'answer', body: { error: false, data: {} } });
    answerUser(site.tap, { username: 'operator', permission: ['event', 'membergroup'] });
    await select(page).selectOption({ label: to ?? '' });
    await entry.waitFor({ state: 'detached' });
    await menu(page).getByRole('link', { name: 'Today Event', exact: true }).waitFor();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(origin);
    expect(from).not.toBe(to);
  });

  test('S-7.5 a refused change leaves the old group and asks for nothing', async () => {
    const page = await newPage(site, { user: 'chief', allowed: [{ url: /\/api\/system\/member$/, status: 403 }] });
    await openShell(page);
    const requests = site.tap.requests({ path: STATUS_PATH }).length;
    site.tap.when({ method: 'PUT', path: MEMBER_PATH }, { kind: 'answer', status: 403, body: { error: true } });
    await select(page).selectOption({ label: GROUP_NAMES[0] });
    await waitFor(
      'the old group',
      () => select(page).locator('option:checked').textContent(),
      (name) => name === GROUP_NAMES[1],
    );
    expect(site.tap.requests({ path: STATUS_PATH }).length).toBe(requests);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('S-7.5 the gateway refuses what is no group of one’s own, and changes nothing', async () => {
    const page = await newPage(site, { user: 'chief' });
    const headers = { origin: site.tap.address };
    const before = await (await page.request.get(STATUS_PATH)).json();
    for (const data of [
      { self: true, membergroup: 4711 },
      { self: true, membergroup: '1' },
      { membergroup: 1 },
      { self: false, membergroup: 1 },
    ]) {
      const answer = await page.request.put(MEMBER_PATH, { data, headers });
      expect(await answer.json(), JSON.stringify(data)).toMatchObject({ error: true });
      expect(answer.status()).toBeGreaterThanOrEqual(400);
      expect(answer.status()).toBeLessThan(500);
      expect(await (await page.request.get(STATUS_PATH)).json()).toEqual(before);
    }
  });
});

describe('the footer', () => {
  const rows = (page: Page) => menu(page).locator('dd').allTextContents();
  const hidden = { permission: [], retentiondays: 0, expirydate: wallSeconds(0) };
  const at = wallSeconds(1_795_132_800);

  test('S-6.5 shows for how long recordings are kept and when the account ends, where they do', async () => {
    const page = await newPage(site, { user: 'chief' });
    for (const [user, expected] of [
      [{ ...hidden, retentiondays: 30, expirydate: at }, ['30', '2026-11-20']],
      [hidden, []],
    ] as const) {
      answerUser(site.tap, user);
      await openShell(page);
      expect(await rows(page)).toEqual(expected);
    }
  });

  test('S-6.6, S-9.11 version, licences and their end show with system only, dates alike in every language', async () => {
    answerServer(site.tap);
    const page = await newPage(site, { user: 'chief' });
    const again = answerUser(site.tap, { ...hidden, permission: ['system'] });
    await page.goto('/');
    await menu(page).locator('dd').nth(2).waitFor();
    for (const locale of ['en', 'zh-TW', 'jp'] as const) {
      await switchLanguage(page, locale);
      expect(await rows(page)).toEqual(['0.1.0', '250', '2029-12-31']);
    }
    again();
    answerUser(site.tap, { ...hidden, permission: ALL_PERMISSIONS.filter((each) => each !== 'system') });
    await page.goto('/');
    await tiles(page).first().waitFor();
    await waitFor('the server information', () => site.tap.requests({ path: SERVER_PATH }).length >= 2);
    expect(await rows(page)).toEqual([]);
  });
});
