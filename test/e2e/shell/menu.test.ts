// The menu and the tiles in a browser: history, frames and drawings. Who sees which page, and what each change of the user or the
// group does to them: test/dom/shell.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserStatus } from '../../../shared/protocol/api.ts';
import { MENU_PAGES } from '../../../shared/protocol/menuPages.ts';
import { pressOn } from '../../support/browser/keyboard.ts';
import { answerUser, STATUS_PATH } from '../../support/fakes/fakeUsers.ts';
import { answerFrames, GROUP_NAMES, newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const MEMBER_PATH = '/api/system/member';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
// Before and not after: the page of the test before is closed by now.
beforeEach(() => {
  site.tap.reset();
  answerFrames(site.tap);
});

const menu = (page: Page) => page.getByRole('navigation');
// The way to one's own account is an icon beside the name, and no entry.
const entries = (page: Page) => menu(page).getByRole('link').filter({ hasText: /\S/ }).allTextContents();
const marked = (page: Page) => menu(page).locator('[aria-current=page]').allTextContents();
const tiles = (page: Page) => page.getByRole('main').getByRole('link');

/** The page of that name is framed, and its entry is marked. */
async function framed(page: Page, name: string): Promise<void> {
  const src = MENU_PAGES.find((row) => row.name === name)?.src;
  await waitFor(
    `the frame of ${name}`,
    () => page.evaluate(() => document.querySelector('iframe')?.contentWindow?.location.pathname ?? ''),
    (path) => path === src,
  );
  expect(new URL(page.url()).pathname).toBe(src?.replace('/innerpage', '').replace('.html', ''));
  await expect.poll(() => page.locator('iframe').count()).toBe(1);
  await expect.poll(() => marked(page)).toEqual([name]);
}

test('S-2.1.2, S-2.1.3, S-2.2.1, S-2.2.2, S-2.2.4, S-6.7 the logo is loaded, the name is text, tiles are eight, a separator and ten with drawings of their own; S-2.1.11, S-2.1.13, S-2.2.6, A-10 they lead to their page, also after Back and a reload', async () => {
  answerUser(site.tap, { username: 'Zoë <b>' });
  const page = await newPage(site, { user: 'chief' });
  await openShell(page);
  const logo = menu(page).getByRole('img').first();
  await waitFor('the logo', () => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth));
  expect((await logo.boundingBox())?.width).toBeGreaterThan(0);
  await expect.poll(() => menu(page).getByText('Zoë <b>', { exact: true }).count()).toBe(1);
  await expect.poll(() => menu(page).locator('b').count()).toBe(0);
  await expectTiles(page);

  await tiles(page).filter({ hasText: 'Report' }).click();
  await framed(page, 'Report');
  await menu(page).getByRole('link', { name: 'Fence' }).click();
  await framed(page, 'Fence');
  await page.goBack();
  await framed(page, 'Report');
  await page.goBack();
  await tiles(page).first().waitFor();
  await expect.poll(() => page.locator('iframe').count()).toBe(0);
  await page.goForward();
  await framed(page, 'Report');
  await menu(page).getByRole('link', { name: 'Home', exact: true }).click();
  await pressOn(tiles(page).filter({ hasText: /^System Backup$/ }), 'Enter');
  await framed(page, 'System Backup');
  await page.reload();
  await framed(page, 'System Backup');
});

async function expectTiles(page: Page): Promise<void> {
  await tiles(page).first().waitFor();
  const expected = MENU_PAGES.filter((row) => row.name !== 'Home').map((row) => row.name);
  await expect.poll(() => tiles(page).allTextContents()).toEqual(expected);
  const separator = await page.getByRole('separator').boundingBox();
  const shown = await tiles(page).evaluateAll((all) =>
    all.map((tile) => {
      const svg = tile.querySelector('svg');
      const { width = 0, height = 0 } = svg?.getBoundingClientRect() ?? {};
      const drawing = width >= 16 && height >= 16 ? svg?.innerHTML : '';
      return { top: tile.getBoundingClientRect().top, drawing };
    }),
  );
  expect(shown.filter(({ top }) => top < (separator?.y ?? 0))).toHaveLength(8);
  const drawings = shown.map(({ drawing }) => drawing).filter((drawing) => drawing !== '');
  expect(new Set(drawings).size).toBe(18);
}

test('S-2.1.5, S-3.2, S-4.3, S-7.4, S-7.5, A-31, S-6.2, S-6.3 an operator finds what is theirs; another group is sent, the status asked for once, the page loaded anew in the same document', async () => {
  const page = await newPage(site, { user: 'operator' });
  await openShell(page, '/report');
  await framed(page, 'Report');
  expect(await entries(page)).toEqual(['Home', 'Dashboard', 'GPS Playback', 'Today Event', 'History Event', 'Report']);
  const select = page.getByRole('combobox', { name: 'Member group' });
  // The menu is there before the answer with the groups.
  await select.waitFor();
  await expect.poll(() => select.locator('option').allTextContents()).toEqual([...GROUP_NAMES]);
  await expect.poll(() => select.locator('option:checked').textContent()).toBe(GROUP_NAMES[1]);
  const origin = await page.evaluate(() => performance.timeOrigin);
  await page.locator('iframe').evaluate((frame) => frame.setAttribute('data-before', ''));
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if ([STATUS_PATH, MEMBER_PATH].includes(pathname)) asked.push(`${request.method()} ${pathname}`);
  });

  await select.selectOption({ label: GROUP_NAMES[0] });
  await page.locator('iframe:not([data-before])').waitFor();

  const [put] = site.tap.requests({ method: 'PUT', path: MEMBER_PATH });
  expect(JSON.parse(put?.body ?? '')).toEqual({ self: true, membergroup: 1 });
  expect(asked).toEqual([`PUT ${MEMBER_PATH}`, `GET ${STATUS_PATH}`]);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(origin);
  await expect.poll(() => select.locator('option:checked').textContent()).toBe(GROUP_NAMES[0]);
  const { data } = (await (await page.request.get(STATUS_PATH)).json()) as { readonly data: UserStatus };
  expect(data.membergroup).toBe(1);
});
