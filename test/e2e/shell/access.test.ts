import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { axeFaults } from '../../support/browser/looks.ts';
import { switchLanguage } from '../../support/browser/switchLanguage.ts';
import { answerServer } from '../../support/fakes/fakeUsers.ts';
import { newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

interface Scene {
  readonly name: string;
  readonly address: string;
  readonly width?: number;
  readonly arrange?: (page: Page) => Promise<void>;
  /** Rules that are off, with their reason beside them. */
  readonly off?: readonly string[];
}

const SCENES: readonly Scene[] = [
  { name: 'the home page', address: '/', arrange: tilesThere },
  { name: 'an unknown address', address: '/nothing', arrange: tilesGone },
  { name: 'the menu in its panel', address: '/', width: 390, arrange: openPanel },
  { name: 'the password dialog', address: '/', arrange: openDialog },
  { name: 'the sign-in page', address: '/innerpage/login.html', arrange: formThere },
  { name: 'the sign-in page, incomplete', address: '/innerpage/login.html', arrange: submitNothing },
  // The bar alone belongs to somebody else's page: the specification wants its title empty, and its content is theirs.
  {
    name: 'the top bar alone',
    address: '/innerpage/topbar.html',
    arrange: barThere,
    off: ['document-title', 'landmark-one-main', 'page-has-heading-one'],
  },
];

async function tilesThere(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link').first().waitFor();
}
async function tilesGone(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading').waitFor();
}
async function openPanel(page: Page): Promise<void> {
  await tilesThere(page);
  await page.locator('button[aria-expanded]').first().click();
  await page.getByRole('navigation').waitFor();
}
async function openDialog(page: Page): Promise<void> {
  await tilesThere(page);
  await page.getByRole('navigation').getByRole('button').nth(1).click();
  await page.getByRole('dialog').waitFor();
}
async function formThere(page: Page): Promise<void> {
  await page.locator('input[name=password]').waitFor();
}
async function submitNothing(page: Page): Promise<void> {
  await formThere(page);
  await page.locator('button[type=submit]').click();
}
async function barThere(page: Page): Promise<void> {
  await page.getByRole('banner').waitFor();
}

const LOOKS = [
  ['en', 'light'],
  ['zh-TW', 'dark'],
  ['jp', 'light'],
] as const;

test.each(SCENES)(
  'axe finds nothing on $name, in any language, light and dark',
  async ({ address, width = 1440, arrange, off = [] }) => {
    answerServer(site.tap);
    const page = await newPage(site, { user: 'chief', reducedMotion: 'reduce', viewport: { width, height: 900 } });
    await page.goto(address);
    await arrange?.(page);
    for (const [locale, colorScheme] of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await switchLanguage(page, locale);
      expect(await axeFaults(page, { off }), `${locale}, ${colorScheme}`).toEqual([]);
    }
  },
);

test('everything is reached by keyboard, in order, with a ring around it', async () => {
  const page = await newPage(site, { user: 'operator' });
  await openShell(page);
  await tilesThere(page);
  const reached: string[] = [];
  for (let step = 0; step < 16; step++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const ring = element?.closest('.MuiInputBase-root')?.querySelector('fieldset') ?? element;
      const style = getComputedStyle(ring ?? document.body);
      const isRinged = style.outlineStyle === 'solid' || Number.parseFloat(style.borderWidth) >= 2;
      return { name: element?.getAttribute('aria-label') ?? element?.textContent ?? '', isRinged };
    });
    expect(at.isRinged, at.name).toBe(true);
    reached.push(at.name);
  }
  expect(reached.slice(0, 3)).toEqual(['Logout', 'My account', 'Change password']);
  expect(reached.slice(4, 10)).toEqual(['Home', 'Dashboard', 'GPS Playback', 'Today Event', 'History Event', 'Report']);
  expect(reached.slice(10, 16)).toEqual([
    'Language',
    'Dashboard',
    'GPS Playback',
    'Today Event',
    'History Event',
    'Report',
  ]);
});
