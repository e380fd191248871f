// The shell and the pages that are not in its menu: what axe finds, how they fit, their words and their order by keyboard. The
// pages of the menu: test/e2e/pages/everyPage.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MENU_PAGES } from '../../../shared/protocol/menuPages.ts';
import { pressOn } from '../../support/browser/keyboard.ts';
import { axeFaults, expectAccessible, expectFits, lookAt, NARROW_PX } from '../../support/browser/looks.ts';
import { expectWords, showLanguage, untilDrawn } from '../../support/browser/words.ts';
import { answerServer } from '../../support/fakes/fakeUsers.ts';
import { newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';
import { waitFor } from '../../support/waitFor.ts';

const HEIGHT = 900;
const WIDE = { width: 1440, height: HEIGHT };
const LONG_TITLE = 'A fleet with quite a long name, as customers like them';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
beforeEach(() => {
  site.tap.reset();
  answerServer(site.tap, { web_title: LONG_TITLE });
});

const open = () => newPage(site, { user: 'chief', reducedMotion: 'reduce', viewport: WIDE });

async function fitsAtEveryWidth(page: Page, what: string): Promise<void> {
  for (const width of [390, 576, 1_000, 2_560, NARROW_PX]) {
    await page.setViewportSize({ width, height: HEIGHT });
    await untilDrawn(page);
    await expectFits(page, `${what} at ${width}`);
  }
}

/** In the page: the name of what has the focus, and whether a ring is drawn around it. */
function focusedElement(): { name: string; isRinged: boolean } {
  const element = document.activeElement;
  const ring = element?.closest('.MuiInputBase-root')?.querySelector('fieldset') ?? element;
  const style = getComputedStyle(ring ?? document.body);
  const isRinged = style.outlineStyle === 'solid' || Number.parseFloat(style.borderWidth) >= 2;
  return { name: element?.getAttribute('aria-label') ?? element?.textContent ?? '', isRinged };
}

describe('S-1.4 the shell', () => {
  test('is accessible, fits and speaks each language: its tiles, menu, dialog, and the notice that an address is unknown', async () => {
    const page = await open();
    await openShell(page);
    await page.getByRole('main').getByRole('link').first().waitFor();
    await expectOrder(page);
    await lookAt(page, 'the home page');

    await showLanguage(page, 'zh-TW');
    await page.getByRole('navigation').getByRole('button').nth(1).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the password dialog', '[role=dialog]');
    await pressOn(page.getByRole('dialog'), 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await showLanguage(page, 'jp');
    await fitsAtEveryWidth(page, 'the home page');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('button[aria-expanded]').first().click();
    await page.getByRole('navigation').waitFor();
    await untilDrawn(page);
    await expectAccessible(page, 'the menu in its panel');
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').waitFor({ state: 'detached' });

    await goToUnknown(page);
    for (const locale of ['en', 'zh-TW', 'jp'] as const) {
      await showLanguage(page, locale);
      expectWords(await page.locator('body').innerText(), locale);
    }
    await fitsAtEveryWidth(page, 'an unknown address');
    await expectAccessible(page, 'an unknown address');
  });

  /** Without loading the shell anew. */
  async function goToUnknown(page: Page): Promise<void> {
    await page.evaluate(() => {
      window.history.pushState(null, '', '/nothing');
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('main').locator('h1').waitFor();
    await page.getByRole('main').getByRole('link').nth(1).waitFor({ state: 'detached' });
  }

  /** Everything is reached by keyboard, in order, with a ring around it. */
  async function expectOrder(page: Page): Promise<void> {
    const pages = MENU_PAGES.map(({ name }) => name);
    const reached: string[] = [];
    for (let step = 0; step < pages.length + 9; step++) {
      await page.keyboard.press('Tab');
      // A field draws its ring with its next rendering, after it has got the focus.
      const at = await waitFor(
        'a ring around what has the focus',
        () => page.evaluate(focusedElement),
        ({ isRinged }) => isRinged,
      );
      reached.push(at.name);
    }
    expect(reached.slice(0, 4)).toEqual(['Skip to content', 'Logout', 'My account', 'Change password']);
    // The fifth is the choice of a group.
    expect(reached.slice(5, 6 + pages.length)).toEqual([...pages, 'Language']);
    expect(reached.slice(6 + pages.length)).toEqual(pages.slice(1, 4));
  }
});

describe('S-1.4 the sign-in page', () => {
  test('is accessible, fits and speaks each language, complete and with what is missing', async () => {
    const page = await open();
    await page.goto('/innerpage/login.html');
    await page.locator('input[name=password]').waitFor();
    await expectAccessible(page, 'the sign-in page');
    await page.locator('button[type=submit]').click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await lookAt(page, 'the sign-in page, incomplete');
    await showLanguage(page, 'jp');
    await fitsAtEveryWidth(page, 'the sign-in page');
  });
});

describe('the top bar alone', () => {
  test('is accessible and fits', async () => {
    const page = await open();
    await page.goto('/innerpage/topbar.html');
    await page.getByRole('banner').getByText(LONG_TITLE).waitFor();
    // It belongs to somebody else's page: the specification wants its title empty, and its content is theirs.
    const off = ['document-title', 'landmark-one-main', 'page-has-heading-one'];
    expect(await axeFaults(page, { off })).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await showLanguage(page, 'jp');
    await fitsAtEveryWidth(page, 'the top bar');
    expect(await axeFaults(page, { off })).toEqual([]);
  });
});
